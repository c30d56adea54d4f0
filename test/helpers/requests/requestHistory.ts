import type { Hex } from "viem";
import type { Emulator } from "../../../emulator/index.ts";

/** A request in the form of lists. */
export type RequestSummary = {
  readonly requestId: Hex;
  readonly parentId: Hex | null;
  readonly status: string;
  readonly failReason: string | null;
};

/** Reads the whole history of a request. */
export type RequestHistory = {
  readonly status: string;
  readonly failReason: string | null;
  readonly refundFailReason: string | null;
  readonly details: string | null;
  readonly failedCallData: { from: Hex; to: Hex; data: Hex; value: string } | null;
  readonly failedTxHash: Hex | null;
  readonly failedTxBlockNumber: number | null;
  readonly fillTimeMs: number | null;
  readonly originBlock: number | null;
  readonly children: readonly RequestSummary[];
  readonly events: readonly { trigger: string; status: string; txHash?: Hex }[];
  readonly deposits: readonly {
    amount: string;
    outcome: string;
    reason: string | null;
    txHash: Hex;
    txStatus: string;
  }[];
  readonly transactions: readonly { kind: string; state: string; hash: Hex; fee: string | null }[];
};

/** Triggers of a request so far. */
export async function historyOf(emulator: Emulator, requestId: Hex): Promise<RequestHistory> {
  return (await read(emulator, `/admin/requests/${requestId}/events`)) as RequestHistory;
}

/** Finds the requests of a transaction. */
export async function requestsOf(emulator: Emulator, hash: Hex): Promise<readonly RequestSummary[]> {
  const { requests } = (await read(emulator, `/admin/requests?sortDirection=asc&term=${hash}`)) as {
    requests: readonly RequestSummary[];
  };
  return requests;
}

/** Polls until `ask` returns a value; throws after `timeoutMs` with what was awaited. */
export async function until<Found>(
  ask: () => Promise<Found | undefined>,
  what: string | (() => string),
  timeoutMs = 20_000,
): Promise<Found> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > deadline)
      throw new Error(`waited too long for ${typeof what === "string" ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until a request has one of some statuses. Fails at once if it is refunded in place of the awaited success. */
export async function reached(
  emulator: Emulator,
  requestId: Hex,
  ...statuses: readonly string[]
): Promise<RequestHistory> {
  const awaited = statuses.join(" or ");
  let seen = "unread";
  return until(
    async () => {
      const history = await historyOf(emulator, requestId);
      const { details, failReason, status } = history;
      if (statuses.includes(status)) return history;
      seen = [status, failReason, details].filter((part) => part !== null).join(", ");
      if (status === "refund" && awaited === "success") throw new Error(`${requestId} ended in ${seen}`);
      return undefined;
    },
    () => `${requestId} to be ${awaited}; it is ${seen}`,
  );
}

async function read(emulator: Emulator, path: string): Promise<unknown> {
  const headers = { "x-admin-key": emulator.info.adminKey };
  const answer = await emulator.fetch(new Request(`http://localhost${path}`, { headers }));
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
