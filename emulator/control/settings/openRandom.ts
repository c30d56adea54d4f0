import { randomFillSync } from "node:crypto";
import { concatHex, type Hex, keccak256, numberToHex, stringToHex } from "viem";
import * as z from "zod";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { openSetting } from "../../store/openSetting.ts";
import type { Store } from "../../store/openStore.ts";

/** Where 32 random bytes come from. */
export type Random = {
  readonly random32: () => Hex;
  /** How many were drawn, where that decides what comes next. */
  position(): number;
  /** Goes on behind that many draws. */
  seek(position: number): void;
};

/**
 * Random bytes that follow from a seed: the same seed and the same calls in the same order give the same ids. Whoever
 * knows the seed knows the keys: it is for tests.
 *
 * @param seed Any text.
 * @param run Which start over the same database this is: ids that it has must not come again.
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

/** Draws many at once: asking the system costs more than what it gives. None is given twice. */
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

/** Random bytes that nobody can foresee, or that somebody else draws. */
export function freeRandom(random32: () => Hex = drawFromSystem()): Random {
  return { position: () => 0, random32, seek: () => undefined };
}

/**
 * Opens the source of ids and keys of one run.
 *
 * @throws InvalidParameterError if both `seed` and `random32` are given.
 */
export async function openRandom(
  { random32, seed }: { readonly random32?: (() => Hex) | undefined; readonly seed?: string | undefined },
  store: Store,
): Promise<Random> {
  if (seed === undefined) return freeRandom(random32);
  if (random32 === undefined) return seededRandom(seed, await nextRun(store));
  throw new InvalidParameterError({ parameter: "seed", reason: "`random32` is given too" });
}

/**
 * Counts the starts over a database, so that ids that follow from a seed do not come again, whichever process starts; 0 for
 * the first.
 */
export async function nextRun(store: Store): Promise<number> {
  const runs = await openSetting({ initial: 0, key: "runs", schema: z.int(), store });
  return (await runs.change((run) => run + 1)) - 1;
}
