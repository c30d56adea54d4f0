import { getAddress, type Hex, hexToBigInt, slice } from "viem";
import {
  type ContractArtifact,
  type ContractName,
  type ImmutableValue,
  immutablesOf,
} from "../../src/deployment/contracts.ts";

/** Runtime code compared to an artifact's. */
export type CodeMatch =
  | { readonly isSame: true; readonly immutables: Readonly<Record<string, ImmutableValue>> }
  | {
      readonly isSame: false;
      /** What differs, in one sentence. */
      readonly difference: string;
      /** Share of equal bytes, 0 to 1; code behind the end of the shorter one counts as different. */
      readonly likeness: number;
    };

/**
 * Compares runtime code to an artifact byte by byte, except at the immutables, which it decodes.
 *
 * All places of one immutable must hold the same value, and addresses and flags no further bits.
 */
export function matchCode(code: Hex, name: ContractName, artifact: ContractArtifact): CodeMatch {
  const places = Object.entries(artifact.immutableReferences).toSorted(([a], [b]) => Number(a) - Number(b));
  const named = immutablesOf[name];
  if (places.length !== named.length) throw new Error(`The artifact of ${name} is of another version.`);
  const expected = bytesOf(artifact.deployedBytecode);
  const actual = bytesOf(code);
  const masked = new Set(
    places.flatMap(([, each]) => each.flatMap(({ length, start }) => range(start, length))),
  );
  const differing = range(0, Math.min(actual.length, expected.length)).filter(
    (i) => actual[i] !== expected[i] && !masked.has(i),
  );
  const longest = Math.max(actual.length, expected.length);
  const apart = Math.abs(actual.length - expected.length);
  const fails = (difference: string): CodeMatch => ({
    difference,
    isSame: false,
    likeness: 1 - (differing.length + apart) / longest,
  });
  if (differing.length > 0) {
    return fails(
      `${differing.length} bytes differ, the first at ${differing[0]}; ${lengths(actual, expected)}`,
    );
  }
  if (actual.length > expected.length) return fails(`${apart} bytes follow the end of the code`);
  if (actual.length < expected.length) return fails(`the last ${apart} bytes are missing`);

  const immutables: Record<string, ImmutableValue> = {};
  for (const [i, { name: immutable, type }] of named.entries()) {
    const words = (places[i]?.[1] ?? []).map(({ length, start }) => slice(code, start, start + length));
    const [word = "0x"] = words;
    if (words.some((each) => each !== word))
      return fails(`\`${immutable}\` has different values in the code`);
    const value = decode(type, word);
    if (value === undefined) return fails(`\`${immutable}\` is no ${type}: ${word}`);
    immutables[immutable] = value;
  }
  return { immutables, isSame: true };
}

function decode(type: string, word: Hex): ImmutableValue | undefined {
  const value = hexToBigInt(word);
  if (type === "uint256") return value;
  if (type === "bytes32") return word;
  if (type === "bool") return value > 1n ? undefined : value === 1n;
  return value >> 160n === 0n ? getAddress(slice(word, 12)) : undefined;
}

function lengths(actual: Uint8Array, expected: Uint8Array): string {
  return `the code has ${actual.length} bytes, the artifact's ${expected.length}`;
}

function bytesOf(code: Hex): Uint8Array {
  return Uint8Array.from({ length: code.length / 2 - 1 }, (_, i) =>
    Number.parseInt(code.slice(2 + 2 * i, 4 + 2 * i), 16),
  );
}

function range(start: number, length: number): readonly number[] {
  return Array.from({ length }, (_, i) => start + i);
}
