import type { EmulatorInfo } from "../../../emulator/index.ts";
import { createClient, type Quote } from "../../../src/client/index.ts";
import { type TestChain, testChain } from "../emulatorFixture.ts";
import { drawsOf } from "../seededDraws.ts";
import { type Payment, pay, paymentKinds } from "./payments.ts";

/** Users at work. */
export type Load = {
  readonly payments: readonly Payment[];
  /** Lets each finish what it is paying. */
  stop(): Promise<readonly Payment[]>;
};

const payers = 6;
const timeoutMs = 3_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Has several users pay without end, each one payment after the other, whether anybody is there or not. */
export function startLoad(info: EmulatorInfo, seed: string): Load {
  const client = createClient({
    apiKey: info.apiKeys[0]?.key,
    baseUrl: info.apiUrl,
    retry: { count: 0 },
    timeout: timeoutMs,
  });
  const [alpha, beta] = info.chains.map(testChain) as [TestChain, TestChain];
  const payments: Payment[] = [];
  let isStopped = false;
  const ask = async (quote: () => Promise<Quote>) => {
    while (!isStopped) {
      try {
        return await quote();
      } catch {
        // Nobody is there; or was, when this was asked.
        await pause(25);
      }
    }
    return undefined;
  };
  const work = async (index: number) => {
    const draws = drawsOf(`${seed} payer ${index}`);
    const [origin, destination] = index % 2 === 0 ? [alpha, beta] : [beta, alpha];
    while (!isStopped) {
      const kind = draws.pick(paymentKinds);
      const payment = await pay(kind, { client, destination, index, origin }, draws, ask);
      if (payment !== undefined) payments.push(payment);
      await pause(draws.whole(0, 60));
    }
  };
  const working = Promise.all(Array.from({ length: payers }, (_, index) => work(index)));
  // What goes wrong is told when it is stopped.
  working.catch(() => undefined);
  return {
    payments,
    stop: async () => {
      isStopped = true;
      await working;
      return payments;
    },
  };
}
