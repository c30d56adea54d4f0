import * as z from "zod";
import { forgetPayments } from "../../../src/execute/paymentLedger.ts";
import type { Chain } from "../../chains/Chain.ts";
import { latestHead } from "../../chains/rpc.ts";
import type { Context } from "../../context/Context.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import { fundFirstKey } from "../../money/sponsorLedger.ts";
import { copyStore, resetStore, restoreStore, type StoreCopy } from "../../store/resetStore.ts";
import type { ControlLog } from "../settings/controlLog.ts";
import type { ClockReading, OpenedClock } from "../settings/openClock.ts";
import type { Random } from "../settings/openRandom.ts";
import { type ChainHistory, type Checkpoint, chainHistory } from "./chainHistory.ts";
import { resendTransactions, transactionsAfter } from "./returnTransactions.ts";

export const snapshotSchema = z.strictObject({
  id: z.string(),
  /** Unix milliseconds of the clock. */
  at: z.int(),
});

/** A state of the whole emulator that can be restored. */
type Snapshot = z.output<typeof snapshotSchema>;

export const reorgReportSchema = z.strictObject({
  /** Number of the last block kept. */
  forkBlock: z.int(),
  /** Number of blocks removed. */
  blocks: z.int(),
  /** Hashes of transactions sent again, and of those that the node rejected. */
  returned: z.array(z.string()),
  lost: z.array(z.string()),
});

/** Outcome of a reorg. */
export type ReorgReport = z.output<typeof reorgReportSchema>;

/** Snapshots, reset and reorgs of the whole emulator. */
export type EmulatorState = {
  /** Keeps the state of chains, database, clock and randomness, in memory until the process ends. */
  snapshot(): Promise<Snapshot>;
  /**
   * Restores a snapshot, any number of times. Younger snapshots are lost, because chains cannot go forward.
   *
   * @throws ControlRefusedError for an unknown or lost snapshot.
   */
  restore(id: string): Promise<Snapshot>;
  snapshots(): readonly Snapshot[];
  /** Empties the database except for keys and reverts the chains to their state at the start. */
  reset(): Promise<void>;
  /**
   * Reorgs exactly the last `blocks` blocks of a chain away.
   *
   * @param returns Whether their transactions are sent again and mined in other blocks.
   * @throws ControlRefusedError if the state before them was not kept (see `reorgs` of the configuration).
   */
  reorg(chainId: number, blocks: number, returns: boolean): Promise<ReorgReport>;
};

type Kept = Snapshot & {
  readonly checkpoints: Map<number, Checkpoint>;
  readonly rows: StoreCopy;
  readonly clock: ClockReading;
  readonly drawn: number;
};

type OpenStateParameters = Pick<Context, "exchange" | "store"> & {
  readonly chains: ReadonlyMap<number, Chain>;
  readonly clock: OpenedClock;
  readonly controlLog: ControlLog;
  readonly random: Random;
  /** Pauses the solver while `work` runs; runs one work at a time. */
  readonly hold: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Reloads the caches of the database. */
  readonly reload: () => Promise<void>;
};

/** The state with the switch that the configuration sets. */
export type OpenedState = EmulatorState & {
  /** Starts or stops keeping the state of each block. */
  keepBlocks(isWanted: boolean): Promise<void>;
};

/** Starts to track the states of chains and database. Chains without snapshots are never reverted. */
export async function openState(parameters: OpenStateParameters): Promise<OpenedState> {
  const { chains, clock, controlLog, exchange, hold, random, reload, store } = parameters;
  const histories = new Map([...chains].map(([id, chain]) => [id, chainHistory(chain)]));
  const started = await keepAll(histories);
  let kept: Kept[] = [];
  let count = 0;
  let ends: (() => void)[] = [];

  const goBack = async (checkpoints: Map<number, Checkpoint>) => {
    for (const [id, checkpoint] of checkpoints) {
      await historyOf(histories, id).goBack(checkpoint);
    }
    // Younger snapshots are lost.
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
        const transactions = await transactionsAfter(chain, to.blockNumber, before.number);
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
        forgetPayments();
        await resetStore(store, ["api_keys", "secrets", "chains"]);
        await fundFirstKey(store, clock.read().now);
        await forgetSearch(chains, store);
        await exchange?.open();
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
          throw new ControlRefusedError(
            `There is no snapshot ${id}: it is unknown, or the chains reverted further since.`,
          );
        await controlLog.settled();
        await goBack(found.checkpoints);
        // The restored ids may be paid again, also by a run of this process.
        forgetPayments();
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

/** Rejects a state of another block than requested: a longer reorg would remove blocks that a test relies on. */
function assertExact(
  found: Checkpoint | undefined,
  wanted: bigint,
  { definition, firstBlock }: Chain,
): asserts found is Checkpoint {
  if (found?.blockNumber === wanted && wanted >= firstBlock - 1n) return;
  if (wanted < firstBlock - 1n) {
    throw new ControlRefusedError(
      `${definition.name} cannot revert its set-up, which ends before block ${firstBlock}.`,
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
      // The node has no snapshots: its chain is never reverted.
      if (error instanceof ControlRefusedError) return undefined;
      throw error;
    });
    if (checkpoint !== undefined) checkpoints.set(id, checkpoint);
  }
  return checkpoints;
}

/** Starts the search for deposits after the current blocks: earlier deposits belong to deleted requests. */
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
