import type { Hex } from "viem";

const digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** `bc` as its checksum sees it: the high bits, zero, the low bits. */
const prefix = [3, 3, 0, 2, 3];
/** Checksums by witness version: bech32 and bech32m. */
const checksums = [1, 0x2bc830a3];
const checksumLength = 6;
/** Program lengths by version, in bytes. Anyone can spend an output of a later version. */
const programLengths: readonly (readonly number[])[] = [[20, 32], [32]];

/**
 * Decodes a native SegWit address of Bitcoin's main network (BIP-173, BIP-350): P2WPKH, P2WSH, P2TR.
 *
 * @returns The witness version and the program; undefined for any other text.
 */
export function decodeSegwit(address: string): Hex | undefined {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return undefined;
  const text = address.toLowerCase();
  if (!text.startsWith("bc1") || text.length > 90) return undefined;
  const words = Array.from(text.slice(3), (digit) => digits.indexOf(digit));
  const [version = -1] = words;
  if (words.includes(-1) || checksum([...prefix, ...words]) !== checksums[version]) return undefined;
  const program = toBytes(words.slice(1, -checksumLength));
  if (program === undefined || !programLengths[version]?.includes(program.length)) return undefined;
  return `0x${[version, ...program].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function checksum(values: readonly number[]): number {
  let rest = 1;
  for (const value of values) {
    const top = rest >>> 25;
    rest = ((rest & 0x1ffffff) << 5) ^ value;
    generators.forEach((generator, bit) => {
      if ((top >>> bit) & 1) rest ^= generator;
    });
  }
  return rest;
}

/** Regroups five bits into eight. Undefined unless the padding is short and zero. */
function toBytes(words: readonly number[]): number[] | undefined {
  const bytes: number[] = [];
  let [bits, rest] = [0, 0];
  for (const word of words) {
    rest = ((rest << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((rest >>> bits) & 0xff);
  }
  const isPadded = bits < 5 && (rest & ((1 << bits) - 1)) === 0;
  return isPadded ? bytes : undefined;
}
