import { expect } from "chai";
import type { Hex } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import type { Receiver } from "../../unit/emulator/webhooks/support/receiver.ts";
import { testChain } from "../emulatorFixture.ts";
import { readSolverWork } from "./arrivals.ts";
import type { Payment } from "./payments.ts";

/** A request as the emulator tells of it. */
export type RequestState = {
  readonly requestId: Hex;
  readonly status: string;
  readonly events: readonly { readonly status: string }[];
  readonly children: readonly { readonly requestId: Hex }[];
};

/** How long the work that the last kill left behind may take: another process's lease has to run out first. */
const settleMs = 90_000;
const final: ReadonlySet<string> = new Set(["success", "refund", "failure"]);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks with the admin key. */
export async function admin(info: EmulatorInfo, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { "content-type": "application/json", "x-admin-key": info.adminKey };
  const answer = await fetch(`${info.apiUrl}/admin${path}`, { ...init, headers });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Waits until nothing is left to do about any payment, and answers with all requests that have to do with them. */
export async function settled(
  info: EmulatorInfo,
  payments: readonly Payment[],
): Promise<ReadonlyMap<Hex, RequestState>> {
  const requests = new Map<Hex, RequestState>();
  const end = performance.now() + settleMs;
  for (const { hashes, kind } of payments) {
    for (const hash of hashes) {
      for (;;) {
        const { requests: found } = (await admin(info, `/requests?hash=${hash}`)) as {
          requests: readonly { requestId: Hex; status: string }[];
        };
        if (found.length > 0 && found.every(({ status }) => final.has(status))) {
          for (const { requestId } of found) {
            const state = (await admin(info, `/requests/${requestId}/events`)) as RequestState;
            requests.set(requestId, state);
          }
          break;
        }
        const seen = found.map(({ requestId, status }) => `${requestId} ${status}`).join(", ");
        if (performance.now() > end)
          throw new Error(`${hash} (${kind}) was left behind: ${seen || "unseen"}`);
        await pause(50);
      }
    }
  }
  return requests;
}

/** Holds what the chains have against what was paid; nobody's database is asked what was sent. */
export async function checkPayments(
  info: EmulatorInfo,
  payments: readonly Payment[],
  requests: ReadonlyMap<Hex, RequestState>,
): Promise<void> {
  const works = new Map(
    await Promise.all(
      info.chains.map(async (chain) => {
        const work = await readSolverWork(testChain(chain), info.solver, 0n);
        return [chain.id, work] as const;
      }),
    ),
  );
  let sent = 0;
  for (const payment of payments) {
    const { deposited, destination, fills, kind, origin, promised, recipient, refunds, refundTo } = payment;
    const what = `${kind}, ${payment.hashes.join(" and ")}`;
    const filled = works.get((kind === "own" ? origin : destination).info.id)?.arrivals(recipient) ?? [];
    const returned = works.get(origin.info.id)?.arrivals(refundTo) ?? [];
    if (kind !== "own") expect(filled, `fills of ${what}`).to.have.length(fills);
    expect(returned, `refunds of ${what}`).to.have.length(refunds);
    for (const amount of filled) {
      if (kind === "swapped" || kind === "own") expect(amount >= promised, what).to.equal(true);
      else expect(amount, what).to.equal(promised);
    }
    for (const amount of returned) {
      expect(amount <= deposited && amount > (deposited * 9n) / 10n, what).to.equal(true);
    }
    if (payment.requestId !== undefined) {
      const isPaid = kind === "own" || fills > 0;
      expect(requests.get(payment.requestId)?.status, what).to.equal(isPaid ? "success" : "refund");
    }
    sent += fills + refunds;
  }
  // Nothing went anywhere else.
  const setUp = info.chains.reduce((sum, { currencies }) => sum + 2 * (currencies.length - 1), 0);
  const successful = [...works.values()].reduce((sum, work) => sum + work.successful, 0);
  expect(successful - setUp, "transactions of the solver").to.equal(sent);
}

/**
 * Holds what the receiver was told against the log of events: each status at least once, and none after a later one.
 *
 * @returns How many there were.
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
  // What names no request is of no key.
  const quoted = payments.flatMap(({ requestId }) => requests.get(requestId ?? "0x") ?? []);
  const ids = quoted.flatMap(({ children, requestId }) => [
    requestId,
    ...children.map((each) => each.requestId),
  ]);
  for (const id of ids) {
    const statuses = received.get(id)?.map(({ event }) => event.data.status) ?? [];
    const events = requests.get(id)?.events.map(({ status }) => status) ?? [];
    expect(events, id).to.have.length.greaterThan(1);
    expect(withoutRepeats(statuses), id).to.deep.equal(withoutRepeats(events));
  }
  return receiver.received.length;
}

/** A status that was posted twice, or an event that changed none, is told once. */
function withoutRepeats(statuses: readonly string[]): readonly string[] {
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}
