import { randomFillSync } from "node:crypto";
import { concatHex, type Hex, keccak256, numberToHex, stringToHex } from "viem";
import * as z from "zod";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { openSetting } from "../../store/openSetting.ts";
import type { Store } from "../../store/tables.ts";

/** A source of 32 random bytes. */
export type Random = {
  readonly random32: () => Hex;
  /** Number of draws of a seeded source; 0 for others. */
  position(): number;
  /** Continues a seeded source after so many draws. */
  seek(position: number): void;
};

/**
 * Derives random bytes from a seed: the same seed and the same calls in the same order give the same ids. For tests
 * only: anyone with the seed can derive the keys.
 */
export function seededRandom(seed: string, run: number): Random {
  const root = keccak256(stringToHex(`waybill ${run} ${seed}`));
  let drawn = 0;
  return {
    position: () => drawn,
    random32: () => keccak256(concatHex([root, numberToHex(drawn++, { size: 8 })])),
    seek: (position) => {
      drawn = position;
    },
  };
}

const idBytes = 32;

/** Draws system randomness in batches, because each system call is expensive. No bytes are used twice. */
function drawFromSystem(): () => Hex {
  const drawn = Buffer.alloc(64 * idBytes);
  let next = drawn.length;
  return () => {
    if (next === drawn.length) {
      randomFillSync(drawn);
      next = 0;
    }
    const id: Hex = `0x${drawn.toString("hex", next, next + idBytes)}`;
    next += idBytes;
    return id;
  };
}

/** Unpredictable random bytes, or those of a given source. */
function freeRandom(random32: () => Hex = drawFromSystem()): Random {
  return { position: () => 0, random32, seek: () => undefined };
}

/** Opens the source of ids and keys of one run. */
export async function openRandom(
  { random32, seed }: { readonly random32?: (() => Hex) | undefined; readonly seed?: string | undefined },
  store: Store,
): Promise<Random> {
  if (seed === undefined) return freeRandom(random32);
  if (random32 === undefined) return seededRandom(seed, await nextRun(store));
  throw new InvalidParameterError({ parameter: "seed", reason: "`random32` is given too" });
}

/**
 * Returns the number of earlier starts over a database, by any process, and counts this one. Seeded ids then do not repeat.
 */
export async function nextRun(store: Store): Promise<number> {
  const runs = await openSetting({ initial: 0, key: "runs", schema: z.int(), store });
  return (await runs.change((run) => run + 1)) - 1;
}
