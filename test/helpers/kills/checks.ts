import { expect } from "chai";
import { type Address, type Hex, isAddress } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { createClient, getStatus } from "../../../src/client/index.ts";
import type { Receiver } from "../../unit/emulator/webhooks/support/receiver.ts";
import type { Books } from "../conservation/openBooks.ts";
import type { OtherBooks } from "../conservation/otherBooks.ts";
import { testChain } from "../emulatorFixture.ts";
import { isEnded } from "../requests/isEnded.ts";
import { readBalances, readSolverWork } from "./arrivals.ts";
import type { Payment } from "./Payment.ts";

/** A request in the form of the admin routes. */
export type RequestState = {
  readonly requestId: Hex;
  readonly status: string;
  readonly details: string | null;
  readonly failReason: string | null;
  readonly events: readonly { readonly status: string; readonly trigger: string }[];
  readonly children: readonly { readonly requestId: Hex }[];
  readonly deposits: readonly { readonly outcome: string }[];
  readonly transactions: readonly { readonly hash: string; readonly kind: string; readonly state: string }[];
};

/** Time limit of the work after the last kill: the killed process's lease must expire first. */
const settleMs = 90_000;

/** Time limit of a database's restart. */
const restartMs = 10_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a request with the admin key, again while the database restarts: each of them may be repeated. */
export async function admin(info: EmulatorInfo, path: string, init: RequestInit = {}): Promise<unknown> {
  // A connection that idles between two checks may be closed while the second is sent.
  const headers = { connection: "close", "content-type": "application/json", "x-admin-key": info.adminKey };
  const send = () => fetch(`${info.apiUrl}/admin${path}`, { ...init, headers });
  const end = performance.now() + restartMs;
  let answer = await send();
  while (answer.status === 503 && performance.now() < end) {
    await pause(100);
    answer = await send();
  }
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Waits until no payment has work left, and returns all requests of the payments. */
export async function settled(
  info: EmulatorInfo,
  payments: readonly Payment[],
): Promise<ReadonlyMap<Hex, RequestState>> {
  const requests = new Map<Hex, RequestState>();
  const end = performance.now() + settleMs;
  const until = async <Found>(what: string, ask: () => Promise<readonly [Found, isOver: boolean]>) => {
    for (;;) {
      const [found, isOver] = await ask();
      if (isOver) return found;
      if (performance.now() > end) throw new Error(`${what} was left behind: ${JSON.stringify(found)}`);
      await pause(50);
    }
  };
  const stateOf = async (id: Hex) => (await admin(info, `/requests/${id}/events`)) as RequestState;
  const endedAmong = async (ids: readonly Hex[]) => (await Promise.all(ids.map(stateOf))).filter(isEnded);
  for (const { depositAddress, hashes, kind, payout, plan, requestId } of payments) {
    if (depositAddress !== undefined) {
      const found = await until(`${depositAddress} (${kind})`, async () => {
        const ended = await endedAmong((await requestsAt(info, depositAddress)).map(({ id }) => id));
        return [ended, ended.length >= plan.fills + plan.refunds] as const;
      });
      for (const state of found) requests.set(state.requestId, state);
    }
    for (const hash of hashes) {
      const found = await until(`${hash} (${kind})`, async () => {
        const { requests } = (await admin(info, `/requests?hash=${hash}`)) as {
          requests: readonly { requestId: Hex }[];
        };
        const ended = await endedAmong(requests.map((each) => each.requestId));
        return [ended, ended.length > 0 && ended.length === requests.length] as const;
      });
      for (const state of found) requests.set(state.requestId, state);
    }
    if (requestId === undefined) continue;
    const state = await until(`${requestId} (${kind})`, async () => {
      const state = await stateOf(requestId);
      return [state, plan.end === "waiting" || isEnded(state)] as const;
    });
    requests.set(requestId, state);
    if (payout === undefined) continue;
    await until(`the claim ${payout.requestId}`, async () => {
      const claim = await stateOf(payout.requestId);
      return [claim, claim.status === "success"] as const;
    });
  }
  return requests;
}

/** All requests of a deposit address. */
async function requestsAt(info: EmulatorInfo, depositAddress: string) {
  const query = `depositAddress=${depositAddress}&includeChildRequests=true`;
  const headers = { "x-api-key": info.apiKeys[0]?.key ?? "" };
  const answer = await fetch(`${info.apiUrl}/requests/v3?${query}`, { headers });
  const { requests } = (await answer.json()) as { requests: readonly { id: Hex }[] };
  return requests;
}

/** Compares the chains with the payments, without reading a database. */
export async function checkPayments(
  info: EmulatorInfo,
  payments: readonly Payment[],
  requests: ReadonlyMap<Hex, RequestState>,
): Promise<void> {
  const chains = new Map(info.chains.map((chain) => [chain.id, testChain(chain)]));
  const works = new Map(
    await Promise.all(
      [...chains].map(async ([id, chain]) => [id, await readSolverWork(chain, info.solver, 0n)] as const),
    ),
  );
  /** Payments of the solver to an account; on a ledger without EVM transactions, its balances. */
  const arrivals = async (chainId: number, account: string, token = "USDC"): Promise<readonly bigint[]> =>
    works.get(chainId)?.arrivals(account) ?? readBalances(info, chainId, account, token);
  let sent = 0;
  for (const payment of payments) {
    const { deposited, filledOn, kind, paidOn, payout, plan, promised, recipient, refundTo } = payment;
    const { end, fills, isSameChain = false, output, refunds, svmToken } = plan;
    const { details, failReason, status } = requests.get(payment.requestId ?? "0x") ?? {};
    const what = `${kind}, ${payment.requestId}, ${payment.hashes.join(" and ")}, ${status} ${failReason} ${details}`;
    const filled = await arrivals(filledOn, recipient, svmToken);
    const returned = await arrivals(paidOn, refundTo);
    // The user's own transaction delivers on one chain.
    expect(filled, `fills of ${what}`).to.have.length(isSameChain ? 1 : fills);
    expect(returned, `refunds of ${what}`).to.have.length(refunds);
    for (const amount of filled) {
      if (output === "quoted") expect(amount, what).to.equal(promised);
      else expect(amount >= promised, `${amount} of ${promised}, ${what}`).to.equal(true);
    }
    if (kind === "overpaid" && fills > 0)
      expect(filled[0] ?? 0n, what).to.satisfy((got: bigint) => 10n * got > 19n * promised);
    for (const amount of returned) {
      expect(amount <= deposited && amount > (deposited * 9n) / 10n, what).to.equal(true);
    }
    if (payment.requestId !== undefined) {
      expect(status, what).to.equal(end);
    }
    const chain = chains.get(filledOn);
    if (chain !== undefined && plan.terms?.topupGas) {
      const topup = await chain.reader.getBalance({ address: recipient as Address });
      expect(topup, `gas of ${what}`).to.equal(payment.topup);
    }
    if (payout !== undefined) {
      const { account, amount, chainId } = payout;
      expect(await arrivals(chainId, account), `the claim ${payout.requestId}`).to.deep.equal([amount]);
    }
    sent += (works.has(filledOn) ? fills : 0) + (works.has(paidOn) ? refunds : 0);
    sent += payment.relays + (payout === undefined ? 0 : 1);
  }
  // No other account was paid.
  const setUp = info.chains.reduce((sum, { currencies }) => sum + 2 * (currencies.length - 1), 0);
  const successful = [...works.values()].reduce((sum, work) => sum + work.successful, 0);
  expect(successful - setUp, "transactions of the solver").to.equal(sent);
}

/** Compares a sponsor's ledger with the payments: each fill is charged once, as quoted. */
export async function checkSponsor(info: EmulatorInfo, payments: readonly Payment[]): Promise<void> {
  const { entries } = (await admin(info, `/sponsors?apiKeyId=${info.apiKeys[0]?.id}`)) as {
    readonly entries: readonly { readonly amount: string; readonly requestId: Hex | null }[];
  };
  const charges = Map.groupBy(entries, ({ requestId }) => requestId);
  for (const { kind, requestId, sponsored } of payments) {
    const paid = charges.get(requestId ?? "0x")?.reduce((sum, { amount }) => sum - BigInt(amount), 0n) ?? 0n;
    expect(paid, `the sponsor's payment for ${kind}, ${requestId}`).to.equal(sponsored);
  }
}

/**
 * Closes the books of all ledgers, with the accounts of the payments: the sum of all gains equals the fees of the chains.
 *
 * @param others Books of the perps exchange and the SVM chain.
 */
export async function checkBooks(
  books: readonly Books[],
  payments: readonly Payment[],
  others?: OtherBooks,
): Promise<void> {
  const all = payments.flatMap(({ passes = [], payout, recipient, refundTo }) => [
    ...[...passes, recipient, refundTo],
    ...(payout === undefined ? [] : [payout.account]),
  ]);
  const own = all.filter((account) => isAddress(account, { strict: false })) as Address[];
  const closed = await Promise.all(books.map((each) => each.close(own)));
  const problems = [...closed.flatMap((each) => each.problems), ...((await others?.close(all)) ?? [])];
  expect(problems).to.deep.equal([]);
}

/** Compares each replica's HTTP answers with the expected end, and with those of the other replicas. */
export async function checkAnswers(
  infos: readonly EmulatorInfo[],
  payments: readonly Payment[],
): Promise<void> {
  const clients = infos.map(({ apiUrl }) => createClient({ baseUrl: apiUrl }));
  for (const { kind, plan, requestId } of payments) {
    if (requestId === undefined) continue;
    const answers = await Promise.all(clients.map((client) => getStatus(client, { requestId })));
    for (const answer of answers) {
      expect(answer.status, `${kind}, ${requestId}`).to.equal(plan.end);
      expect(answer, `${kind}, ${requestId}`).to.deep.equal(answers[0]);
    }
  }
}

/**
 * Compares the receiver's posts with the event log: each status at least once, and none after a later one.
 *
 * @returns Number of posts.
 */
export async function checkWebhooks(
  info: EmulatorInfo,
  receiver: Receiver,
  payments: readonly Payment[],
  requests: ReadonlyMap<Hex, RequestState>,
): Promise<number> {
  const key = info.apiKeys[0]?.id;
  const end = performance.now() + settleMs;
  for (;;) {
    const { deliveries } = (await admin(info, `/keys/${key}/webhook/deliveries?state=pending`)) as {
      deliveries: readonly unknown[];
    };
    if (deliveries.length === 0) break;
    if (performance.now() > end) throw new Error("webhooks were left behind");
    await pause(50);
  }
  const received = Map.groupBy(receiver.received, ({ event }) => event.data.requestId);
  // A deposit without a request belongs to no key.
  const quoted = payments.flatMap(({ requestId }) => requests.get(requestId ?? "0x") ?? []);
  const ids = quoted.flatMap(({ children, requestId }) => [
    requestId,
    ...children.map((each) => each.requestId),
  ]);
  for (const id of ids) {
    const statuses = received.get(id)?.map(({ event }) => event.data.status) ?? [];
    const { events = [], status } = requests.get(id) ?? {};
    expect(events, id).to.have.length.greaterThan(status === "waiting" ? 0 : 1);
    expect(withoutRepeats(statuses), id).to.deep.equal(withoutRepeats(events.map((each) => each.status)));
  }
  return receiver.received.length;
}

/** Drops repeated statuses, and events that do not change the status. */
export function withoutRepeats(statuses: readonly string[]): readonly string[] {
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}
