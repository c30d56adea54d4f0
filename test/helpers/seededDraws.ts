import { type Address, type Hex, hexToBigInt, slice } from "viem";
import { seededRandom } from "../../emulator/control/settings/openRandom.ts";

/** Seeded random draws: the same seed and calls give the same values. */
export type Draws = {
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** An item of a list. */
  pick<Value>(values: readonly Value[]): Value;
  /** True with a probability from 0 to 1. */
  chance(probability: number): boolean;
  bytes32(): Hex;
  /** An account that was not drawn before. */
  address(): Address;
};

export function drawsOf(seed: string): Draws {
  const { random32 } = seededRandom(seed, 0);
  const whole = (least: number, most: number) =>
    least + Number(hexToBigInt(random32()) % BigInt(most - least + 1));
  return {
    address: () => slice(random32(), 12),
    bytes32: random32,
    chance: (probability) => whole(1, 1_000_000) <= probability * 1_000_000,
    pick: <Value>(values: readonly Value[]): Value => {
      if (values.length === 0) throw new Error("there is nothing to pick from");
      return values[whole(0, values.length - 1)] as Value;
    },
    whole,
  };
}
