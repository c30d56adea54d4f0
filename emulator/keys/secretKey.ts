import { createHash, timingSafeEqual } from "node:crypto";
import type { Hex } from "viem";

/** Creates an unguessable key from 32 random bytes. */
export function secretKey(random32: () => Hex): string {
  return random32().slice(2);
}

/** Compares secrets in constant time; digests equalize their lengths. */
export function isSameSecret(secret: string, presented: string): boolean {
  return timingSafeEqual(digestOf(secret), digestOf(presented));
}

/** Digest by which secrets are compared. */
export function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
