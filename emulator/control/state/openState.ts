import type { Chain } from "../../chains/Chain.ts";
import { latestHead } from "../../chains/rpc.ts";
import type { Context } from "../../context/Context.ts";
import { ControlRefusedError } from "../../errors/ControlRefusedError.ts";
import { resetStore } from "../../store/resetStore.ts";
import type { ControlLog } from "../settings/controlLog.ts";
import type { ClockReading, OpenedClock } from "../settings/openClock.ts";
import type { Random } from "../settings/openRandom.ts";
import { type ChainHistory, type Checkpoint, chainHistory } from "./chainHistory.ts";
import { copyStore, restoreStore, type StoreCopy } from "./copyStore.ts";
import { resendTransactions, transactionsAfter } from "./returnTransactions.ts";

/** A state of the whole emulator that it can go back to. */
export type Snapshot = {
  readonly id: string;
  /** Unix milliseconds of the clock. */
  readonly at: number;
};

/** What vanished from a chain. */
export type ReorgReport = {
  /** The last block that is as it was. */
  readonly forkBlock: number;
  /** How many blocks vanished. */
  readonly blocks: number;
  /** Transactions that were sent again, and those that the chain did not take any more. */
  readonly returned: readonly string[];
  readonly lost: readonly string[];
};

/** The emulator's past. */
export type EmulatorState = {
  /** Keeps chains, database, clock and randomness as they are. The copy lives in memory, and not longer than the process. */
  snapshot(): Promise<Snapshot>;
  /**
   * Goes back to a snapshot, as often as is wanted. Snapshots that are younger are lost: the chains cannot go forwards.
   *
   * @throws ControlRefusedError when there is no such snapshot.
   */
  restore(id: string): Promise<Snapshot>;
  snapshots(): readonly Snapshot[];
  /** Empties the database but for keys, and takes the chains back to where they were at the start. */
  reset(): Promise<void>;
  /**
   * Has exactly the last `blocks` blocks of a chain vanish.
   *
   * @throws ControlRefusedError where the state before them was not kept (see `reorgs` of the configuration).
   *
   * @param returns Whether their transactions are sent again, and mined into other blocks.
   */
  reorg(chainId: number, blocks: number, returns: boolean): Promise<ReorgReport>;
};

type Kept = Snapshot & {
  readonly checkpoints: Map<number, Checkpoint>;
  readonly rows: StoreCopy;
  readonly clock: ClockReading;
  readonly drawn: number;
};

export type OpenStateParameters = Pick<Context, "store"> & {
  readonly chains: ReadonlyMap<number, Chain>;
  readonly clock: OpenedClock;
  readonly controlLog: ControlLog;
  readonly random: Random;
  /** Has the solver stand still meanwhile, one work after the other. */
  readonly hold: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Reads again what is kept in memory of the database. */
  readonly reload: () => Promise<void>;
};

/** What the emulator itself does with it. */
export type OpenedState = EmulatorState & {
  /** Begins or ends to keep the state of each block. */
  keepBlocks(isWanted: boolean): Promise<void>;
};

/** Opens the past of chains and database; it begins now. Chains that cannot go back are left as they are. */
export async function openState(parameters: OpenStateParameters): Promise<OpenedState> {
  const { chains, clock, controlLog, hold, random, reload, store } = parameters;
  const histories = new Map([...chains].map(([id, chain]) => [id, chainHistory(chain)]));
  const started = await keepAll(histories);
  let kept: Kept[] = [];
  let count = 0;
  let ends: (() => void)[] = [];

  const goBack = async (checkpoints: Map<number, Checkpoint>) => {
    for (const [id, checkpoint] of checkpoints) {
      const again = await historyOf(histories, id).goBack(checkpoint);
      // Younger snapshots are gone with the states behind; older ones and this one know the state by its new name.
      for (const each of [{ checkpoints: started }, ...kept]) {
        if (each.checkpoints.get(id) === checkpoint) each.checkpoints.set(id, again);
      }
    }
    kept = kept.filter((each) =>
      [...each.checkpoints].every(([id, checkpoint]) => historyOf(histories, id).has(checkpoint)),
    );
  };
  return {
    keepBlocks: async (isWanted) => {
      if (isWanted === ends.length > 0) return;
      for (const end of ends.splice(0)) end();
      if (!isWanted) return;
      ends = await Promise.all([...histories.values()].map((history) => history.keepBlocks()));
    },
    reorg: (chainId, blocks, returns) =>
      hold(async () => {
        const chain = chains.get(chainId);
        if (chain === undefined) throw new ControlRefusedError(`There is no chain ${chainId}.`);
        const history = historyOf(histories, chainId);
        const before = await latestHead(chain.rpc);
        const to = await history.beforeLast(blocks);
        assertExact(to, before.number - BigInt(blocks), chain);
        const transactions = await transactionsAfter(chain.rpc, to.blockNumber, before.number);
        await goBack(new Map([[chainId, to]]));
        await clock.align([chain]);
        const sent = returns ? await resendTransactions(chain.rpc, transactions) : { lost: [], returned: [] };
        const report: ReorgReport = {
          blocks: Number(before.number - to.blockNumber),
          forkBlock: Number(to.blockNumber),
          ...sent,
        };
        controlLog.write({ data: { chainId, ...report }, kind: "reorg" });
        await controlLog.settled();
        return report;
      }),
    reset: () =>
      hold(async () => {
        await controlLog.settled();
        await goBack(started);
        await resetStore(store, ["api_keys", "secrets", "chains"]);
        await forgetSearch(chains, store);
        random.seek(0);
        await clock.restore(undefined);
        await reload();
        controlLog.write({ kind: "reset" });
        await controlLog.settled();
      }),
    restore: (id) =>
      hold(async () => {
        const found = kept.find((each) => each.id === id);
        if (found === undefined)
          throw new ControlRefusedError(`There is no snapshot ${id}, or not any more.`);
        await controlLog.settled();
        await goBack(found.checkpoints);
        await restoreStore(store, found.rows);
        random.seek(found.drawn);
        await clock.restore(found.clock);
        await reload();
        return toSnapshot(found);
      }),
    snapshot: () =>
      hold(async () => {
        await controlLog.settled();
        count++;
        const snapshot: Kept = {
          at: clock.now(),
          checkpoints: await keepAll(histories),
          clock: clock.read(),
          drawn: random.position(),
          id: `snapshot-${count}`,
          rows: await copyStore(store),
        };
        kept.push(snapshot);
        return toSnapshot(snapshot);
      }),
    snapshots: () => kept.map(toSnapshot),
  };
}

/** A reorganisation of more blocks than asked for would take away what a test relies on. */
function assertExact(
  found: Checkpoint | undefined,
  wanted: bigint,
  { definition, firstBlock }: Chain,
): asserts found is Checkpoint {
  if (found?.blockNumber === wanted && wanted >= firstBlock - 1n) return;
  if (wanted < firstBlock - 1n) {
    throw new ControlRefusedError(
      `${definition.name} does not go back into its set-up, which ends before block ${firstBlock}.`,
    );
  }
  const nearest =
    found === undefined ? "nor of any block before it" : `the nearest is of block ${found.blockNumber}`;
  throw new ControlRefusedError(
    `${definition.name} has no state of block ${wanted}, ${nearest}: states are kept from when \`reorgs\` is set, one for all blocks that are mined at once.`,
  );
}

function toSnapshot({ at, id }: Snapshot): Snapshot {
  return { at, id };
}

async function keepAll(histories: ReadonlyMap<number, ChainHistory>): Promise<Map<number, Checkpoint>> {
  const checkpoints = new Map<number, Checkpoint>();
  for (const [id, history] of histories) {
    const checkpoint = await history.keep().catch((error: unknown) => {
      // A node without that method: the chain goes on as it is.
      if (error instanceof ControlRefusedError) return undefined;
      throw error;
    });
    if (checkpoint !== undefined) checkpoints.set(id, checkpoint);
  }
  return checkpoints;
}

/** Deposits are searched from here on: what was before belongs to nobody any more. */
async function forgetSearch(chains: ReadonlyMap<number, Chain>, store: Context["store"]): Promise<void> {
  for (const [chain_id, { rpc }] of chains) {
    const { number } = await latestHead(rpc);
    await store
      .insertInto("cursors")
      .values({ chain_id, next_block: Number(number) + 1 })
      .execute();
  }
}

function historyOf(histories: ReadonlyMap<number, ChainHistory>, id: number): ChainHistory {
  const history = histories.get(id);
  if (history === undefined) throw new ControlRefusedError(`There is no chain ${id}.`);
  return history;
}
