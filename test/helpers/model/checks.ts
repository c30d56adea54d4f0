import { expect } from "chai";
import type { Address, Hex } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { createClient, getStatus } from "../../../src/client/index.ts";
import type { Receiver } from "../../unit/emulator/webhooks/support/receiver.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { isEnded } from "../requests/isEnded.ts";
import { readBalances, readSolverWork } from "./arrivals.ts";
import type { Payment, RequestState } from "./Payment.ts";

/** The requests of all payments, by id. */
export type Requests = ReadonlyMap<Hex, RequestState>;

/** Time limit of the work after the last kill: the killed process's lease must expire first. */
const settleMs = 90_000;
/** Time limit of a database's restart. */
const restartMs = 10_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a request with the admin key, again while the database restarts: each of them may be repeated. */
export async function admin<Answer>(
  info: EmulatorInfo,
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  // A connection that idles between two checks may be closed while the second is sent.
  const headers = { connection: "close", "content-type": "application/json", "x-admin-key": info.adminKey };
  const end = performance.now() + restartMs;
  for (;;) {
    const answer = await fetch(`${info.apiUrl}/admin${path}`, { ...init, headers });
    if (answer.ok) return answer.json() as Promise<Answer>;
    if (answer.status !== 503 || performance.now() > end)
      throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    await pause(100);
  }
}

/** Reads a request with its events. */
export const readState = (info: EmulatorInfo, id: Hex) => admin<RequestState>(info, `/requests/${id}/events`);

/** Waits until no payment has work left, and returns all requests of the payments. */
export async function settled(info: EmulatorInfo, payments: readonly Payment[]): Promise<Requests> {
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
  /** Waits for the requests of a transaction or an address: for some, or for `least` of them. */
  const allEnded = async (what: string, readIds: () => Promise<readonly Hex[]>, least?: number) => {
    const found = await until(what, async () => {
      const ids = await readIds();
      const ended = (await Promise.all(ids.map((id) => readState(info, id)))).filter(isEnded);
      return [ended, ended.length >= (least ?? Math.max(1, ids.length))] as const;
    });
    for (const state of found) requests.set(state.requestId, state);
  };
  for (const { depositAddress, hashes, kind, payout, plan, requestId } of payments) {
    if (depositAddress !== undefined) {
      const least = plan.fills + plan.refunds;
      await allEnded(`${depositAddress} (${kind})`, () => readRequestsAt(info, depositAddress), least);
    }
    for (const hash of hashes) {
      await allEnded(`${hash} (${kind})`, async () => {
        const path = `/requests?term=${hash}`;
        const { requests } = await admin<{ readonly requests: readonly RequestState[] }>(info, path);
        return requests.map((each) => each.requestId);
      });
    }
    if (requestId === undefined) continue;
    const state = await until(`${requestId} (${kind})`, async () => {
      const state = await readState(info, requestId);
      return [state, plan.end === "waiting" || isEnded(state)] as const;
    });
    requests.set(requestId, state);
    if (payout !== undefined) await allEnded(`the claim ${payout.requestId}`, async () => [payout.requestId]);
  }
  return requests;
}

/** Ids of all requests of a deposit address. */
async function readRequestsAt(info: EmulatorInfo, depositAddress: string): Promise<readonly Hex[]> {
  const query = `depositAddress=${depositAddress}&includeChildRequests=true`;
  const headers = { "x-api-key": info.apiKeys[0]?.key ?? "" };
  const answer = await fetch(`${info.apiUrl}/requests/v3?${query}`, { headers });
  const { requests } = (await answer.json()) as { readonly requests: readonly { readonly id: Hex }[] };
  return requests.map(({ id }) => id);
}

/** Compares the chains with the payments, without reading a database. */
export async function checkPayments(
  info: EmulatorInfo,
  chains: readonly TestChain[],
  payments: readonly Payment[],
  requests: Requests,
): Promise<void> {
  const works = new Map(
    await Promise.all(
      chains.map(async (chain) => [chain.info.id, await readSolverWork(chain, info.solver)] as const),
    ),
  );
  /** Payments of the solver to an account; on a ledger without EVM transactions, its balances. */
  const arrivals = async (chainId: number, account: string, symbol?: string): Promise<readonly bigint[]> => {
    const chain = chains.find(({ info: { id } }) => id === chainId);
    const work = works.get(chainId);
    if (chain === undefined || work === undefined)
      return readBalances(info, chainId, account, symbol ?? "USDC");
    return work.arrivals(account, symbol === undefined ? undefined : chain.currency(symbol));
  };
  /** The balance of an account, to which a contract may have paid native currency. */
  const balance = async (chainId: number, account: string, symbol: string): Promise<readonly bigint[]> => {
    const chain = chains.find(({ info: { id } }) => id === chainId);
    const held = (await chain?.balanceOf(chain.currency(symbol), account as Address)) ?? 0n;
    return held === 0n ? [] : [held];
  };
  let sent = 0;
  for (const payment of payments) {
    const { deposited, filledOn, kind, paidOn, payout, plan, promised, recipient, refundTo } = payment;
    const { end, fills, from, isSameChain = false, output, refunds, svmToken, to } = plan;
    const { details, failReason, status } = requests.get(payment.requestId ?? "0x") ?? {};
    const what = `${kind}, ${payment.requestId}, ${payment.hashes.join(" and ")}, ${status} ${failReason} ${details}`;
    const chain = chains.find(({ info: { id } }) => id === filledOn);
    const token = chain === undefined ? svmToken : to;
    const isDrawn = kind === "drawn";
    const filled = await (isDrawn ? balance(filledOn, recipient, to) : arrivals(filledOn, recipient, token));
    const returned = await (isDrawn ? balance(paidOn, refundTo, from) : arrivals(paidOn, refundTo));
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
      const isMost = amount <= deposited && amount > (deposited * 9n) / 10n;
      expect(isMost, `${amount} of ${deposited} went back, ${what}`).to.equal(true);
    }
    if (payment.requestId !== undefined) expect(status, what).to.equal(end);
    if (chain !== undefined && plan.terms?.topupGas) {
      const topup = await chain.balanceOf(chain.currency("ETH"), recipient as Address);
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
  const { entries } = await admin<{
    readonly entries: readonly { readonly amount: string; readonly requestId: Hex | null }[];
  }>(info, `/sponsors?apiKeyId=${info.apiKeys[0]?.id}`);
  const charges = Map.groupBy(entries, ({ requestId }) => requestId);
  for (const { kind, requestId, sponsored } of payments) {
    const paid = charges.get(requestId ?? "0x")?.reduce((sum, { amount }) => sum - BigInt(amount), 0n) ?? 0n;
    expect(paid, `the sponsor's payment for ${kind}, ${requestId}`).to.equal(sponsored);
  }
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

/** Compares the receiver's posts with the event log: each status at least once, and none after a later one. */
export async function checkWebhooks(
  info: EmulatorInfo,
  receiver: Receiver,
  payments: readonly Payment[],
  requests: Requests,
): Promise<void> {
  const path = `/keys/${info.apiKeys[0]?.id}/webhook/deliveries?state=pending`;
  const end = performance.now() + settleMs;
  for (;;) {
    const { deliveries } = await admin<{ readonly deliveries: readonly unknown[] }>(info, path);
    if (deliveries.length === 0) break;
    if (performance.now() > end) throw new Error("webhooks were left behind");
    await pause(50);
  }
  // A deposit without a request belongs to no key.
  const quoted = payments.flatMap(({ requestId }) => requests.get(requestId ?? "0x") ?? []);
  const ids = quoted.flatMap(({ children, requestId }) => [
    requestId,
    ...children.map((each) => each.requestId),
  ]);
  for (const id of ids) {
    const { events = [], status } = requests.get(id) ?? {};
    expect(events, id).to.have.length.greaterThan(status === "waiting" ? 0 : 1);
    const posted = withoutRepeats(receiver.statuses(id));
    expect(posted, id).to.deep.equal(withoutRepeats(events.map((each) => each.status)));
  }
}

/** Drops repeated statuses, and events that do not change the status. */
function withoutRepeats(statuses: readonly string[]): readonly string[] {
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}

/** The accounts of some payments, of any ledger. */
export function accountsOf(payments: readonly Payment[]): readonly string[] {
  return payments.flatMap(({ passes = [], payout, recipient, refundTo }) => [
    ...[...passes, recipient, refundTo],
    ...(payout === undefined ? [] : [payout.account]),
  ]);
}
