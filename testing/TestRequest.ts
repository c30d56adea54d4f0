import { type Hex, TransactionReceiptNotFoundError } from "viem";
import * as z from "zod";
import { sweepSelector } from "../emulator/solver/relayed/sweepKind.ts";
import type { Emulator } from "../emulator/startEmulator.ts";
import { TimeoutError } from "../src/errors/TimeoutError.ts";
import { type RequestStatus, requestStatuses } from "../src/schema/request/requestStatus.ts";
import { defaultFailureGrace } from "../src/track/reduceStatus.ts";
import type { TestChain } from "./TestChain.ts";

/** A successful transaction that paid for a request, as its chain has it. */
export type Payment = {
  readonly chain: TestChain;
  readonly hash: Hex;
  /** `own` is the transaction that does everything on one chain; `unrecorded` one that the service has no record of. */
  readonly kind: "fill" | "refund" | "own" | "unrecorded";
};

/** A request that has ended. */
export type SettledRequest = {
  readonly id: Hex;
  readonly status: RequestStatus;
  readonly failReason: string | null;
  readonly refundFailReason: string | null;
  readonly details: string | null;
  /** All payments of the solver that name the request, found in blocks and not in the service's records. */
  readonly payments: readonly Payment[];
};

/** A request under test: the subject of the matchers. */
export type TestRequest = {
  readonly id: Hex;
  /**
   * Waits until the request ends, and reads its payments from the chains.
   *
   * @param timeoutMs Milliseconds. @default 20000
   * @throws TimeoutError with the last status, and in its message whether a deposit arrived, child requests, and faults that fired or did not.
   */
  settled(timeoutMs?: number): Promise<SettledRequest>;
  /**
   * Waits until the request has, or has had, a status.
   *
   * @param timeoutMs Milliseconds. @default 20000
   * @throws TimeoutError as of `settled`; Error with status and reason if the request ends without it.
   */
  reached(status: RequestStatus, timeoutMs?: number): Promise<void>;
};

/** A chain, and the first block that tests can have mined. */
export type WatchedChain = { readonly chain: TestChain; readonly fromBlock: bigint };

const historySchema = z.object({
  children: z.array(
    z.object({ failReason: z.string().nullable(), requestId: z.string(), status: z.enum(requestStatuses) }),
  ),
  deposits: z.array(z.unknown()),
  details: z.string().nullable(),
  events: z.array(
    z.object({ status: z.enum(requestStatuses), trigger: z.string(), txHash: z.string().optional() }),
  ),
  failReason: z.string().nullable(),
  refundFailReason: z.string().nullable(),
  status: z.enum(requestStatuses),
  transactions: z.array(z.object({ hash: z.string(), kind: z.string() })),
});
type History = z.output<typeof historySchema>;

type Observed = Pick<Emulator, "control" | "fetch" | "info">;

const pollMs = 10;
const defaultTimeoutMs = 20_000;
/** Milliseconds after which a request without a deposit is worth a warning. */
const unpaidMs = 3_000;
const ends: ReadonlySet<RequestStatus> = new Set(["success", "refund", "failure"]);

/** A request of an emulator, whether it exists yet or not. */
export function testRequest(emulator: Observed, chains: readonly WatchedChain[], id: Hex): TestRequest {
  return {
    id,
    reached: async (status, timeoutMs = defaultTimeoutMs) => {
      const had = (history: History) => [history, ...history.events].some((each) => each.status === status);
      const operation = `waiting for a request to be ${status}`;
      const history = await observed(emulator, { id, isEnough: had, operation, timeoutMs });
      if (had(history)) return;
      const why = history.failReason ?? history.details ?? "no reason";
      throw new Error(`The request ${id} ended in ${history.status} (${why}) and was never ${status}.`);
    },
    settled: async (timeoutMs = defaultTimeoutMs) => {
      const operation = "waiting for a request to end";
      const history = await observed(emulator, { id, operation, timeoutMs });
      const { details, failReason, refundFailReason, status } = history;
      const payments = await paymentsOf(emulator.info.solver, { chains, history, id });
      return { details, failReason, id, payments, refundFailReason, status };
    },
  };
}

type Observation = {
  readonly id: Hex;
  readonly isEnough?: ((history: History) => boolean) | undefined;
  readonly operation: string;
  readonly timeoutMs: number;
};

/** Waits for an end, or for what is enough. A refund may follow a failure. */
async function observed(
  emulator: Observed,
  { id, isEnough = () => false, operation, timeoutMs }: Observation,
): Promise<History> {
  const started = performance.now();
  let failedAt: number | undefined;
  let isWarned = false;
  for (;;) {
    const history = await historyOf(emulator, id);
    const at = performance.now();
    const { status } = history;
    if (status !== "failure") failedAt = undefined;
    else failedAt ??= at;
    const isProvisional = failedAt !== undefined && at - failedAt < defaultFailureGrace;
    if (isEnough(history) || (ends.has(status) && !isProvisional)) return history;
    if (!isWarned && at - started > unpaidMs && isUnpaid(history)) {
      isWarned = true;
      // A test may pay later, so that this is no error. Runners cut a test off before it hears of a longer timeout.
      process.emitWarning(`The request ${id} has no deposit after ${unpaidMs / 1_000} s: was it paid?`);
    }
    if (at - started > timeoutMs && failedAt === undefined) {
      const waited = [operation, ...(await hintsOf(emulator, history, id))].join("; ");
      throw new TimeoutError({ lastStatus: status, operation: waited, requestId: id, timeoutMs });
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

const isUnpaid = ({ children, deposits, status }: History) =>
  status === "waiting" && deposits.length + children.length === 0;

/** Why a request may not have ended. */
async function hintsOf({ control }: Observed, history: History, id: Hex): Promise<readonly string[]> {
  const fired = (await control.log({ requestId: id })).filter(({ kind }) => kind === "fault");
  const faults = new Set(fired.map(({ data }) => String(data?.["fault"])));
  const others = control.faults
    .list()
    .map(({ spec }) => spec)
    .filter((spec) => !("requestId" in spec) || spec.requestId === undefined || spec.requestId === id);
  const unfired = new Set(others.map(({ kind }) => kind).filter((kind) => !faults.has(kind)));
  return [
    ...(isUnpaid(history) ? ["no deposit has arrived"] : []),
    ...history.children.map(
      ({ failReason, requestId, status }) =>
        `its child request ${requestId} has the status ${status} (${failReason ?? "no reason"})`,
    ),
    ...[...faults].map((kind) => `the fault ${kind} fired for it`),
    ...(unfired.size === 0 ? [] : [`faults that did not fire for it: ${[...unfired].join(", ")}`]),
  ];
}

async function historyOf({ fetch, info }: Pick<Emulator, "fetch" | "info">, id: Hex): Promise<History> {
  const headers = { "x-admin-key": info.adminKey };
  const answer = await fetch(new Request(`${info.apiUrl}/admin/requests/${id}/events`, { headers }));
  if (answer.ok) return historySchema.parse(await answer.json());
  throw new Error(`The emulator has no request ${id}: pass the \`requestId\` of a quote's step.`);
}

async function paymentsOf(
  solver: Hex,
  { chains, history, id }: { chains: readonly WatchedChain[]; history: History; id: Hex },
): Promise<readonly Payment[]> {
  const kinds = new Map(history.transactions.map(({ hash, kind }) => [hash, kind]));
  const kindOf = (hash: Hex): Payment["kind"] => {
    const kind = kinds.get(hash);
    return kind === "fill" || kind === "refund" ? kind : "unrecorded";
  };
  const found = await Promise.all(
    chains.map(async (watched) => {
      const hashes = await successesNaming(id, solver, watched);
      return hashes.map((hash) => ({ chain: watched.chain, hash, kind: kindOf(hash) }));
    }),
  );
  const own = await ownPayments(
    history,
    chains.map(({ chain }) => chain),
  );
  return [...found.flat(), ...own];
}

/** The transaction that did everything on one chain, which names no request. */
async function ownPayments({ events }: History, chains: readonly TestChain[]): Promise<readonly Payment[]> {
  const own = events.findLast(({ trigger }) => trigger.startsWith("own-"));
  if (own?.trigger !== "own-succeeded" || own.txHash === undefined) return [];
  const hash = own.txHash as Hex;
  const found = await Promise.all(
    chains.map(async (chain) => {
      const receipt = await chain.reader.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw error;
      });
      return receipt?.status === "success" ? [{ chain, hash, kind: "own" as const }] : [];
    }),
  );
  return found.flat();
}

/** Successful transactions of the solver whose calldata contains the requestId. Times say nothing: chains run ahead of the clock. */
async function successesNaming(
  id: Hex,
  solver: Hex,
  { chain: { reader }, fromBlock }: WatchedChain,
): Promise<readonly Hex[]> {
  const hashes: Hex[] = [];
  const newest = await reader.getBlockNumber();
  for (let blockNumber = fromBlock; blockNumber <= newest; blockNumber++) {
    const { transactions } = await reader.getBlock({ blockNumber, includeTransactions: true });
    for (const { from, hash, input } of transactions) {
      if (from.toLowerCase() !== solver.toLowerCase() || !input.includes(id.slice(2))) continue;
      // Sweeps of a deposit address name its request, and pay nothing out.
      if (input.startsWith(sweepSelector)) continue;
      const { status } = await reader.getTransactionReceipt({ hash });
      if (status === "success") hashes.push(hash);
    }
  }
  return hashes;
}
