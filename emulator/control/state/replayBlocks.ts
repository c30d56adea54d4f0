import { type Hex, toHex } from "viem";
import type { RunningChain } from "../../chains/Chain.ts";
import { headSchema, latestHead } from "../../chains/rpc.ts";
import { ControlRefusedError } from "../../errors/ControlRefusedError.ts";
import { transactionsAfter } from "./returnTransactions.ts";
import type { StateChange } from "./stateJournal.ts";

/** Everything needed to mine a block again with the same hash. */
export type ReplayedBlock = {
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Signed transactions. */
  readonly raws: readonly Hex[];
  /** Changes by development methods after the previous block. */
  readonly changes: readonly StateChange[];
};

/** Reads the blocks after `base` up to `last`; `undefined` if a signed transaction cannot be rebuilt. */
export async function readReplay(
  { rpc }: RunningChain,
  base: bigint,
  last: bigint,
  changesAfter: (block: bigint) => readonly StateChange[],
): Promise<readonly ReplayedBlock[] | undefined> {
  const blocks: ReplayedBlock[] = [];
  for (let number = base + 1n; number <= last; number++) {
    const { hash, timestamp } = headSchema.parse(await rpc("eth_getBlockByNumber", [toHex(number), false]));
    const signed = await transactionsAfter(rpc, number - 1n, number);
    const raws = signed.flatMap(({ raw }) => (raw === undefined ? [] : [raw]));
    if (raws.length < signed.length) return undefined;
    blocks.push({ changes: changesAfter(number - 1n), hash, raws, timestamp });
  }
  return blocks;
}

/**
 * Mines blocks again on the same state.
 *
 * @throws ControlRefusedError if a hash differs.
 */
export async function replayBlocks(
  { definition, rpc }: RunningChain,
  blocks: readonly ReplayedBlock[],
): Promise<void> {
  const isAutomining = await rpc("hardhat_getAutomine");
  await rpc("evm_setAutomine", [false]);
  try {
    for (const { changes, hash, raws, timestamp } of blocks) {
      for (const { method, params } of changes) await rpc(method, params);
      await rpc("evm_setNextBlockTimestamp", [toHex(timestamp)]);
      for (const raw of raws) await rpc("eth_sendRawTransaction", [raw]);
      await rpc("evm_mine");
      if ((await latestHead(rpc)).hash !== hash) {
        throw new ControlRefusedError(`${definition.name} mined other blocks on replay.`);
      }
    }
  } finally {
    if (isAutomining === true) await rpc("evm_setAutomine", [true]);
  }
}
