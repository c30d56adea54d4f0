import type { Hex } from "viem";
import { createClient } from "../../../src/client/index.ts";
import { type EmulatorFixture, startFixture } from "../emulatorFixture.ts";
import { checkBooks, checkPayments, checkSponsor, settled } from "../kills/checks.ts";
import type { Ask, Payment } from "../kills/Payment.ts";
import { paymentKinds } from "../kills/paymentPlans.ts";
import { pay } from "../kills/payments.ts";
import { takeAuthorizations } from "../quotes/permits.ts";
import { drawsOf } from "../seededDraws.ts";
import { openBooks } from "./openBooks.ts";
import { noticeMs, openReorgs, type ReorgCounts } from "./openReorgs.ts";
import { openOtherBooks } from "./otherBooks.ts";
import { addFaults, afterFaults, readFired } from "./troubles.ts";

const payers = 6;
const keyFunds = 10n ** 15n;

type PathsReport = {
  /** Number of payments by kind. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly reorgs: ReorgCounts;
};

/** Makes random payments of all kinds on EVM chains, exchange and SVM chain, with random faults and reorgs, and closes one set of books over all ledgers: every account, the sponsor and the claims, to the unit. */
export async function runPaths(seed: string, count: number): Promise<PathsReport> {
  const errors: string[] = [];
  const fixture = await startFixture({
    log: ({ cause, level, message }) => {
      const text = `${message}: ${String(cause)}`;
      // A node that mines at once keeps no transaction whose predecessor a reorg removed: the solver sends it again.
      if (level === "error" && !text.includes("Nonce too high")) errors.push(text);
    },
    perps: true,
    reorgs: true,
    svm: true,
  });
  try {
    const { payments, reorgs } = await payAll(fixture, seed, count);
    if (errors.length > 0) throw new Error(errors.join("\n"));
    const kinds = Map.groupBy(payments, ({ kind }) => kind);
    return { kinds: Object.fromEntries([...kinds].map(([kind, { length }]) => [kind, length])), reorgs };
  } finally {
    await fixture.stop();
  }
}

async function payAll(fixture: EmulatorFixture, seed: string, count: number) {
  const { alpha, beta, emulator } = fixture;
  const { control, info } = emulator;
  await takeAuthorizations(beta);
  await control.sponsors.set({ amount: keyFunds, apiKeyId: info.apiKeys[0]?.id ?? "" });
  const books = await Promise.all([alpha, beta].map((chain) => openBooks(chain, info.solver, [])));
  const others = await openOtherBooks(info);
  const reorgs = await openReorgs(fixture);
  const client = createClient({ apiKey: info.apiKeys[0]?.key, baseUrl: info.apiUrl });
  const ask: Ask = async (call, insists) => {
    for (;;) {
      try {
        return await call({ apiUrl: info.apiUrl, client });
      } catch (error) {
        // Only what waits for another payment is asked again.
        if (insists !== true || !String(error).includes("is still")) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const payments: Payment[] = [];
  let left = count;
  const shift = drawsOf(`${seed} kinds`).whole(1, payers);
  const work = async (index: number) => {
    const draws = drawsOf(`${seed} payer ${index}`);
    // The payers share all kinds out first, so that none is left to chance.
    const first = paymentKinds.filter((_, place) => (place + shift) % payers === index);
    const faultDraws = drawsOf(`${seed} faults ${index}`);
    const reorgDraws = drawsOf(`${seed} reorgs ${index}`);
    const [origin, destination] = index % 2 === 0 ? [alpha, beta] : [beta, alpha];
    const payer = {
      destination,
      index,
      origin,
      partner: payers + Math.floor(index / 2),
      solver: info.solver,
    };
    while (left-- > 0) {
      const kind = first.shift() ?? draws.pick(paymentKinds);
      const addDrawn = (requestId: Hex) => addFaults(control, kind, requestId, faultDraws);
      const payment = await reorgs.whilePaying(() => pay(kind, payer, draws, ask, addDrawn));
      if (payment === undefined) continue;
      payments.push(payment);
      await reorgs.draw(payment, payer, reorgDraws);
    }
  };
  await Promise.all(Array.from({ length: payers }, (_, index) => work(index)));
  await new Promise((resolve) => setTimeout(resolve, noticeMs));
  const requests = await settled(info, payments);
  const fired = await readFired(control);
  const ended = payments.map((payment) => {
    const request = requests.get(payment.requestId ?? "0x");
    return reorgs.afterLoss(afterFaults(payment, fired, request?.status), request);
  });
  await checkPayments(info, ended, requests);
  await checkSponsor(info, ended);
  await checkBooks(books, ended, others);
  return { payments, reorgs: reorgs.count(requests.values()) };
}
