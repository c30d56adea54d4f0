import type { Hex } from "viem";

/** Order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other valid signature of the same key and digest: `s` in the upper half, and the other `v`. */
export function flipS(signature: Hex): Hex {
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
  return `0x${signature.slice(2, 66)}${s}${signature.slice(130) === "1b" ? "1c" : "1b"}`;
}
