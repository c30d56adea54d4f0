import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Hex } from "viem";
import { errorAnswer } from "./errorBody.ts";

/** Whom a request comes from. */
export type ApiKey = {
  /** A secret: it must reach neither the log nor an answer. */
  readonly key: string;
  /** For people. */
  readonly name: string;
};

/** A key that nobody can guess, from 32 random bytes. */
export function secretKey(random32: () => Hex): string {
  return random32().slice(2);
}

/** The key that was presented, if it is known. How long the search takes says nothing about the keys. */
export function findApiKey(apiKeys: readonly ApiKey[], presented: string): ApiKey | undefined {
  return apiKeys.filter(({ key }) => isSameSecret(key, presented))[0];
}

/** Compares in constant time; digests make lengths equal. */
export function isSameSecret(secret: string, presented: string): boolean {
  return timingSafeEqual(digest(secret), digest(presented));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Refuses requests that present a key which is not known. None at all is allowed: most endpoints need none. */
export function apiKeyCheck(apiKeys: readonly ApiKey[]): MiddlewareHandler {
  return async (http, next) => {
    const presented = http.req.header("x-api-key");
    if (presented !== undefined && findApiKey(apiKeys, presented) === undefined) {
      return errorAnswer(http, 401, "Unknown API key", { errorCode: "UNAUTHORIZED" });
    }
    return next();
  };
}
