import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "../internal/show.ts";

const dayMs = 86_400_000n;
/** The exchange takes nonces that lie no further back than this, */
const longestBackMs = 2n * dayMs;
/** nor further ahead than this. */
const longestAheadMs = dayMs;

/** Parameters of {@link checkExchangeNonce}. */
export type CheckExchangeNonceParameters = {
  /** Unix milliseconds. */
  nonce: bigint;
  /** Unix milliseconds. Default: the present. */
  now?: number | undefined;
};

/** Return value of {@link checkExchangeNonce}. */
export type CheckExchangeNonceReturnType = {
  /** The first nonce that the exchange takes. */
  readonly earliest: bigint;
  /** The last one. */
  readonly latest: bigint;
  readonly verdict: "ok" | "too-new" | "too-old";
};

/** Errors of {@link checkExchangeNonce}. */
export type CheckExchangeNonceErrorType = InvalidParameterError;

/**
 * Looks whether the exchange takes a nonce at a time T: from two days before T to one day after it, bounds not included. A
 * nonce serves once, so money signed with one that is too old never moves, and the quote has to be asked for again.
 *
 * @param parameters The nonce and the time.
 * @returns The verdict, and the bounds.
 * @throws {InvalidParameterError} When either is not what it must be.
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
  if (!Number.isFinite(now)) {
    throw new InvalidParameterError({ parameter: "now", reason: `${show(now)} is not a time` });
  }
  const time = BigInt(Math.floor(now));
  const [earliest, latest] = [time - longestBackMs + 1n, time + longestAheadMs - 1n];
  const verdict = value < earliest ? "too-old" : value > latest ? "too-new" : "ok";
  return { earliest, latest, verdict };
}

/**
 * Reads a nonce of the exchange from what JSON carries or a program has. JSON carries a number, so one beyond what floating
 * point holds exactly is refused: it would become another one on the way.
 *
 * @throws InvalidParameterError when it is not a whole number from zero to 2^53-1.
 *
 * @example
 * readNonce(1_700_000_000_000, "quote.steps[1].items[0].data.nonce"); // 1700000000000n
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
