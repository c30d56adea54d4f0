import type { EmulatorInfo } from "../../../emulator/index.ts";
import { createClient } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { type TestChain, testChain } from "../emulatorFixture.ts";
import { drawsOf } from "../seededDraws.ts";
import { admin } from "./checks.ts";
import type { Ask, Payment } from "./Payment.ts";
import { paymentKinds } from "./paymentPlans.ts";
import { pay } from "./payments.ts";

/** Running users. */
export type Load = {
  readonly payments: readonly Payment[];
  /** Rejects when a payment fails. */
  readonly ended: Promise<unknown>;
  /** Lets each user finish its payment, then stops. */
  stop(): Promise<readonly Payment[]>;
};

const payers = 6;
const timeoutMs = 3_000;
/** Millionths of a dollar, more than all payments of a campaign. */
const sponsorFunds = 10n ** 15n;
/** Maximum time for which a replica leaves all calls of one payer unanswered. */
const patienceMs = 120_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs several users, each with one payment at a time, while replicas start and stop. Resolves once the integrator is a sponsor:
 * until then no replica may stop.
 *
 * @param infos Documents of the replicas, which users call at random; payments are made on the first one's chains.
 * @param onPaid Receives each payment once it is mined.
 */
export async function startLoad(
  infos: readonly [EmulatorInfo, ...EmulatorInfo[]],
  seed: string,
  onPaid: (payment: Payment) => void = () => {},
): Promise<Load> {
  const [{ apiKeys, chains, solver }] = infos;
  const replicas = infos.map(({ apiUrl }) => ({
    apiUrl,
    client: createClient({
      apiKey: apiKeys[0]?.key,
      baseUrl: apiUrl,
      retry: { count: 0 },
      timeout: timeoutMs,
    }),
  }));
  const [alpha, beta] = chains.map(testChain) as [TestChain, TestChain];
  const payments: Payment[] = [];
  let isStopped = false;
  await fundSponsor(infos[0]);
  const work = async (index: number) => {
    const draws = drawsOf(`${seed} payer ${index}`);
    const ask: Ask = async (call, insists = false) => {
      const end = performance.now() + patienceMs;
      while (insists || !isStopped) {
        try {
          return await call(draws.pick(replicas));
        } catch (error) {
          // The service rejected the call itself: a repetition would fail too.
          if (error instanceof HttpError && error.status < 500) throw error;
          if (performance.now() > end) throw error;
          await pause(25);
        }
      }
      return undefined;
    };
    const [origin, destination] = index % 2 === 0 ? [alpha, beta] : [beta, alpha];
    const partner = payers + Math.floor(index / 2);
    // Every kind gets a turn: each payer starts with a different one.
    let turn = Math.floor((index * paymentKinds.length) / payers);
    while (!isStopped) {
      const kind = paymentKinds[turn++ % paymentKinds.length] ?? "native";
      const payment = await pay(kind, { destination, index, origin, partner, solver }, draws, ask);
      if (payment !== undefined) {
        payments.push(payment);
        onPaid(payment);
      }
      await pause(draws.whole(0, 60));
    }
  };
  const ended = Promise.all(Array.from({ length: payers }, (_, index) => work(index)));
  // Without a listener, a failure would end the process.
  ended.catch(() => undefined);
  return {
    ended,
    payments,
    stop: async () => {
      isStopped = true;
      await ended;
      return payments;
    },
  };
}

/** Makes the integrator a sponsor. */
async function fundSponsor(info: EmulatorInfo): Promise<void> {
  const body = JSON.stringify({ amount: `${sponsorFunds}`, apiKeyId: info.apiKeys[0]?.id });
  await admin(info, "/sponsors", { body, method: "PUT" });
}
