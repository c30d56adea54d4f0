import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertValid } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";

const dayMs = 86_400_000n;
/** Maximum age of a nonce, in milliseconds. */
const longestBackMs = 2n * dayMs;
/** Maximum time of a nonce ahead of the clock, in milliseconds. */
const longestAheadMs = dayMs;

export type CheckExchangeNonceParameters = {
  /** Unix milliseconds. */
  nonce: bigint;
  /** Unix milliseconds. Default: the present. */
  now?: number | undefined;
};

export type CheckExchangeNonceReturnType = {
  /** The first accepted nonce. */
  readonly earliest: bigint;
  /** The last accepted nonce. */
  readonly latest: bigint;
  readonly verdict: "ok" | "too-new" | "too-old";
};

/**
 * Checks whether the exchange accepts a nonce at a time T: from two days before T to one day after, exclusive. A
 * transfer signed with an expired nonce never executes; request a new quote then.
 *
 * @returns The verdict and the bounds.
 * @throws {InvalidParameterError} For an invalid nonce or time.
 *
 * @example
 * import { checkExchangeNonce } from "waybill/perps";
 *
 * checkExchangeNonce({ nonce: 1_700_000_000_000n, now: 1_700_000_000_500 }).verdict; // "ok"
 */
export function checkExchangeNonce({
  nonce,
  now = Date.now(),
}: CheckExchangeNonceParameters): CheckExchangeNonceReturnType {
  const value = readNonce(nonce, "nonce");
  assertValid(Number.isFinite(now), "now", `${show(now)} is not a time`);
  const time = BigInt(Math.floor(now));
  const [earliest, latest] = [time - longestBackMs + 1n, time + longestAheadMs - 1n];
  const verdict = value < earliest ? "too-old" : value > latest ? "too-new" : "ok";
  return { earliest, latest, verdict };
}

/**
 * Parses a nonce of the exchange. Rejects numbers above 2^53-1, which JSON rounds.
 *
 * @throws InvalidParameterError unless it is an integer from 0 to 2^53-1.
 */
export function readNonce(value: unknown, parameter: string): bigint {
  const isWhole =
    typeof value === "bigint" ||
    (typeof value === "string" && /^[0-9]{1,16}$/.test(value)) ||
    (typeof value === "number" && Number.isSafeInteger(value));
  const nonce = isWhole ? BigInt(value) : -1n;
  if (nonce >= 0n && nonce <= BigInt(Number.MAX_SAFE_INTEGER)) return nonce;
  throw new InvalidParameterError({ parameter, reason: `${show(value)} is not a time in milliseconds` });
}
