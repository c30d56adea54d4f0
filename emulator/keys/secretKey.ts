import { createHash, timingSafeEqual } from "node:crypto";
import type { Hex } from "viem";

/** A key that nobody can guess, from 32 random bytes. */
export function secretKey(random32: () => Hex): string {
  return random32().slice(2);
}

/** Compares in constant time; digests make lengths equal. */
export function isSameSecret(secret: string, presented: string): boolean {
  return timingSafeEqual(digestOf(secret), digestOf(presented));
}

/** What secrets are compared by. */
export function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
