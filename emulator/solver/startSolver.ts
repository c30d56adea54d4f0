import { setImmediate } from "node:timers/promises";
import type { ChainDefinition } from "../chains/chainDefinitions.ts";
import { isTransportError } from "../chains/evm/httpRpc.ts";
import type { Context } from "../context/Context.ts";
import type { Store } from "../store/tables.ts";
import { assignPayments } from "./addresses/assignPayments.ts";
import { isDue } from "./deposits/depositRows.ts";
import { refuseExpired, runSolverRound } from "./deposits/runSolverRound.ts";
import { createReceiptPolls } from "./deposits/settle.ts";
import { evmLedger } from "./ledgers/evm/evmLedger.ts";
import { exchangeLedger } from "./ledgers/exchange/exchangeLedger.ts";
import { advanceSvmSweeps } from "./ledgers/svm/advanceSvmSweeps.ts";
import { svmLedger } from "./ledgers/svm/svmLedger.ts";
import { advanceRelayed } from "./relayed/advanceRelayed.ts";
import type { SolverLedger, SolverLedgers } from "./SolverLedger.ts";

/** A running solver. */
export type Solver = {
  /** Starts the next round immediately. */
  wake(): void;
  /** Runs some work between two rounds; the next round starts afterwards. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Finishes the present round, then stops. A hanging node delays it by the timeouts of its calls. */
  stop(): Promise<void>;
};

/** Longest pause between two rounds, and between two searches of a chain, in milliseconds. */
const roundMs = 500;

/**
 * Starts the solver: rounds that search the chains for deposits and act on them, one after the other. A block
 * of any chain starts the next round. A timer does too, for retries and for blocks without a notification. A
 * chain whose node is unreachable is left out until it answers.
 */
export function startSolver(context: Context): Solver {
  let isStopped = false;
  let isDue = false;
  let endPause = () => {};
  const ledgers = openLedgers(context);
  const chainIds = [...ledgers.keys()];
  /** Chains with blocks since their last search. */
  let unsearched = new Set(chainIds);
  let searchedAllAt = Number.NEGATIVE_INFINITY;
  const startRound = (toSearch: readonly number[]) => {
    // The round under way may have searched the chain already: the next round searches it again.
    isDue = true;
    for (const id of toSearch) unsearched.add(id);
    endPause();
  };
  const wake = () => startRound(chainIds);
  const onRefundDue = () => startRound([]);
  const takeUnsearched = () => {
    const now = performance.now();
    // Chains may have blocks without a notification, and a search may need a repetition.
    const isFull = now - searchedAllAt >= roundMs;
    if (isFull) searchedAllAt = now;
    const taken = isFull ? new Set(chainIds) : unsearched;
    unsearched = new Set();
    return taken;
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      if (isDue) return resolve();
      const timer = setTimeout(resolve, roundMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const lanes = openChainLanes({ chains: ledgers, log: context.log }, wake);
  const polls = new Map(chainIds.map((id) => [id, createReceiptPolls()]));
  const round = async () => {
    const search = (ids: ReadonlySet<number>) => lanes.search((ledger) => ledger.search(), ids);
    const searched = takeUnsearched();
    await search(searched);
    const { deposits, payments, relayed, transactions } = await readAgenda(context.store);
    if (!deposits && !payments && !relayed && !transactions) return;
    // Finds unreachable chains, which must claim no work: their claims would block deposits.
    await search(new Set(chainIds.filter((id) => !searched.has(id))));
    await lanes.work(async (ledger) => {
      const { id } = ledger.definition;
      const roundContext = { ...context, isAway: lanes.isAway, ledgers, onRefundDue };
      if (deposits || transactions) {
        await runSolverRound(ledger, roundContext, polls.get(id) ?? createReceiptPolls());
      }
      if (context.svm?.definition.id === id) {
        if (payments) await assignPayments(context.svm, context);
        if (payments || relayed) await advanceSvmSweeps(context.svm, context);
      }
      const chain = context.chains.get(id);
      if (chain === undefined) return;
      if (payments) await assignPayments(chain, context);
      if (payments || relayed) await advanceRelayed(chain, context);
    });
    if (deposits) await refuseExpired(lanes.unreachable(), { ...context, ledgers, onRefundDue });
  };
  const run = async () => {
    while (!isStopped) {
      isDue = false;
      try {
        await inTurn(round);
      } catch (cause) {
        // A database outage must not end the solver: the next round resumes from the database.
        context.log({ cause, level: "error", message: "a round of the solver failed" });
      }
      // Followers of the log notify clients of this round before the next one begins.
      await setImmediate();
      if (!isStopped) await pause();
    }
  };
  const ignore = [...ledgers].map(([id, ledger]) => ledger.onChange(() => startRound([id])));
  const finished = run();
  return {
    hold: (work) => inTurn(() => lanes.idle().then(work)).finally(wake),
    wake,
    stop: async () => {
      isStopped = true;
      for (const end of ignore) end();
      endPause();
      await finished;
      await lanes.idle();
    },
  };
}

type Agenda = {
  /** Payments to deposit addresses that have no request yet. */
  readonly payments: boolean;
  /** Deposits to fill or refund. */
  readonly deposits: boolean;
  /** Deposits to send or settle for their users. */
  readonly relayed: boolean;
  /** Transactions of the solver to send or settle. */
  readonly transactions: boolean;
};

/** Reads the kinds of work that any chain has, in one query: most rounds only search a block. */
async function readAgenda(store: Store): Promise<Agenda> {
  const { deposits, payments, relayed, transactions } = await store
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom("deposits").select("id").where(isDue)).as("deposits"),
      exists(selectFrom("address_payments").select("id").where("state", "=", "found")).as("payments"),
      exists(selectFrom("relayed_deposits").select("hash").where("state", "in", ["due", "signed"])).as(
        "relayed",
      ),
      exists(selectFrom("transactions").select("id").where("state", "=", "signed")).as("transactions"),
    ])
    .executeTakeFirstOrThrow();
  // SQLite answers 0 or 1.
  return {
    deposits: Boolean(deposits),
    payments: Boolean(payments),
    relayed: Boolean(relayed),
    transactions: Boolean(transactions),
  };
}

function openLedgers(context: Context): SolverLedgers {
  const { chains, exchange, svm } = context;
  const ledgers = new Map<number, SolverLedger>();
  for (const [id, chain] of chains) ledgers.set(id, evmLedger(chain, context));
  if (exchange !== undefined) ledgers.set(exchange.definition.id, exchangeLedger(exchange, context));
  if (svm !== undefined) ledgers.set(svm.definition.id, svmLedger(svm, context));
  return ledgers;
}

/** Milliseconds that a round waits for one chain. Slower work continues without its round. */
const graceMs = 1_000;

type LedgerLane = { readonly definition: ChainDefinition };

/** Lanes of work, one per chain, so that an unreachable chain delays no other. */
type ChainLanes<Lane extends LedgerLane> = {
  /**
   * Searches the given chains, and all unreachable ones without a round waiting for them. A successful search marks such a
   * chain as reachable and replaces its next search here: a slow node would otherwise be searched in every round and never
   * worked on.
   */
  search(work: (chain: Lane) => Promise<void>, chainIds: ReadonlySet<number>): Promise<void>;
  /** Works on the reachable chains. */
  work(work: (chain: Lane) => Promise<void>): Promise<void>;
  isAway(chainId: number): boolean;
  /** Ids of unreachable chains without work under way. */
  unreachable(): readonly number[];
  /** Waits for all work that continues without its round. */
  idle(): Promise<void>;
};

type Kind = "search" | "work";

/**
 * Opens a lane for each chain, with one piece of work at a time. Work that fails, or outlasts a round, marks its chain
 * as unreachable until that work, or a search, succeeds.
 */
function openChainLanes<Lane extends LedgerLane>(
  { chains, log }: Pick<Context, "log"> & { readonly chains: ReadonlyMap<number, Lane> },
  onBack: () => void,
): ChainLanes<Lane> {
  const busy = new Map<number, { readonly kind: Kind; readonly ended: Promise<void> }>();
  const away = new Set<number>();
  /** Chains whose last search succeeded without a round waiting for it. */
  const searched = new Set<number>();
  const start = (chain: Lane, kind: Kind, work: (chain: Lane) => Promise<void>): Promise<void> => {
    const { id } = chain.definition;
    const ended = work(chain)
      .then(
        () => {
          if (!away.delete(id)) return;
          if (kind === "search") searched.add(id);
          onBack();
        },
        (cause: unknown) => {
          away.add(id);
          log({ cause, level: "error", message: messageOf(chain, cause) });
        },
      )
      .finally(() => busy.delete(id));
    busy.set(id, { ended, kind });
    return ended;
  };
  const present = () =>
    [...chains.values()].filter(({ definition: { id } }) => !away.has(id) && !busy.has(id));
  const startAll = async (kind: Kind, work: (chain: Lane) => Promise<void>, among = present()) => {
    await Promise.all(
      among.map(async (chain) => {
        if (!(await isInTime(start(chain, kind, work)))) away.add(chain.definition.id);
      }),
    );
  };
  return {
    unreachable: () => [...away].filter((id) => busy.get(id)?.kind !== "work"),
    idle: async () => {
      while (busy.size > 0) await Promise.all([...busy.values()].map(({ ended }) => ended));
    },
    isAway: (id) => away.has(id),
    search: async (work, chainIds) => {
      for (const [id, chain] of chains) {
        if (away.has(id) && !busy.has(id)) start(chain, "search", work);
      }
      await startAll(
        "search",
        work,
        present().filter(({ definition: { id } }) => chainIds.has(id) && !searched.delete(id)),
      );
    },
    work: (work) => startAll("work", work),
  };
}

/** Whether work ends before the round continues without it. */
async function isInTime(ended: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, graceMs, false);
  });
  return Promise.race([ended.then(() => true), late]).finally(() => clearTimeout(timer));
}

function messageOf({ definition: { id, name } }: LedgerLane, cause: unknown): string {
  return isTransportError(cause)
    ? `the node of ${name} (chain ${id}) does not answer: the solver's work there is paused`
    : `a round of the solver failed on ${name} (chain ${id})`;
}
