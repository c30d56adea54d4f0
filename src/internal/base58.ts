import type { Hex } from "viem";

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/*
 * Written out: with a library in its place, `waybill/execute` is 900 bytes larger, and above its limit.
 */

/**
 * Decodes base58 to hexadecimal. A leading `1` is a zero byte.
 *
 * @param text Base58 digits. Limit the length: decoding takes quadratic time.
 */
export function decodeBase58(text: string): Hex {
  let number = 0n;
  for (const digit of text) number = number * 58n + BigInt(alphabet.indexOf(digit));
  const zeros = text.length - text.replace(/^1+/, "").length;
  const digits = number === 0n ? "" : number.toString(16);
  return `0x${"00".repeat(zeros)}${digits.length % 2 === 0 ? "" : "0"}${digits}`;
}

/** Encodes bytes in base58. */
export function encodeBase58(bytes: Hex): string {
  const zeros = /^0x((?:00)*)/.exec(bytes)?.[1]?.length ?? 0;
  let text = "";
  for (let number = BigInt(bytes); number > 0n; number /= 58n)
    text = `${alphabet[Number(number % 58n)]}${text}`;
  return `${"1".repeat(zeros / 2)}${text}`;
}
