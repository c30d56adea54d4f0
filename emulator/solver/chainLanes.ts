import type { ChainDefinition } from "../chains/chainDefinitions.ts";
import { isTransportError } from "../chains/evm/httpRpc.ts";
import type { Context } from "../context/Context.ts";

/** Milliseconds that a round waits for one chain. Slower work continues without its round. */
const graceMs = 1_000;

type LedgerLane = { readonly definition: ChainDefinition };

/** Lanes of work, one per chain, so that an unreachable chain delays no other. */
export type ChainLanes<Lane extends LedgerLane> = {
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
export function openChainLanes<Lane extends LedgerLane>(
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
