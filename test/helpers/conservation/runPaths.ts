import { createClient } from "../../../src/client/index.ts";
import { type EmulatorFixture, startFixture } from "../emulatorFixture.ts";
import { checkBooks, checkPayments, checkSponsor, settled } from "../kills/checks.ts";
import type { Ask, Payment } from "../kills/Payment.ts";
import { paymentKinds } from "../kills/paymentPlans.ts";
import { pay } from "../kills/payments.ts";
import { takeAuthorizations } from "../quotes/permits.ts";
import { drawsOf } from "../seededDraws.ts";
import { openBooks } from "./openBooks.ts";
import { openOtherBooks } from "./otherBooks.ts";
import { addFaults, afterFaults, readFired } from "./troubles.ts";

const payers = 6;
const keyFunds = 10n ** 15n;

/**
 * Makes random payments of all kinds on EVM chains, exchange and SVM chain, with random faults, and closes one set of books over all ledgers: every account, the sponsor and the claims, to the unit.
 *
 * @returns Number of payments by kind.
 */
export async function runPaths(seed: string, count: number): Promise<Readonly<Record<string, number>>> {
  const errors: string[] = [];
  const fixture = await startFixture({
    log: ({ cause, level, message }) => {
      if (level === "error") errors.push(`${message}: ${String(cause)}`);
    },
    perps: true,
    svm: true,
  });
  try {
    const payments = await payAll(fixture, seed, count);
    if (errors.length > 0) throw new Error(errors.join("\n"));
    const kinds = Map.groupBy(payments, ({ kind }) => kind);
    return Object.fromEntries([...kinds].map(([kind, { length }]) => [kind, length]));
  } finally {
    await fixture.stop();
  }
}

async function payAll(fixture: EmulatorFixture, seed: string, count: number): Promise<readonly Payment[]> {
  const { alpha, beta, emulator } = fixture;
  const { control, info } = emulator;
  await takeAuthorizations(beta);
  await control.sponsors.set({ amount: keyFunds, apiKeyId: info.apiKeys[0]?.id ?? "" });
  const books = await Promise.all([alpha, beta].map((chain) => openBooks(chain, info.solver, [])));
  const others = await openOtherBooks(info);
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
  const work = async (index: number) => {
    const draws = drawsOf(`${seed} payer ${index}`);
    const faultDraws = drawsOf(`${seed} faults ${index}`);
    const [origin, destination] = index % 2 === 0 ? [alpha, beta] : [beta, alpha];
    const payer = {
      destination,
      index,
      origin,
      partner: payers + Math.floor(index / 2),
      solver: info.solver,
    };
    while (left-- > 0) {
      const kind = draws.pick(paymentKinds);
      const payment = await pay(kind, payer, draws, ask, (requestId) =>
        addFaults(control, kind, requestId, faultDraws),
      );
      if (payment !== undefined) payments.push(payment);
    }
  };
  await Promise.all(Array.from({ length: payers }, (_, index) => work(index)));
  const requests = await settled(info, payments);
  const fired = await readFired(control);
  const ended = payments.map((payment) => afterFaults(payment, fired));
  await checkPayments(info, ended, requests);
  await checkSponsor(info, ended);
  await checkBooks(books, ended, others);
  return payments;
}
