import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import type { ApiKey } from "../../keys/ApiKey.ts";

/** Longest time for the fill of a fixed rate in seconds, because the solver bears the market's moves. */
export const fixedRateSeconds = 300;

type Asked = Pick<QuoteRequest, "fixedRate" | "subsidizeFees" | "topupGas" | "useDepositAddress">;

/** Reads the spread of a fixed rate in basis points below the oracle's price; `undefined` without one. */
export function fixedRateOf({
  fixedRate,
  subsidizeFees,
  topupGas,
  useDepositAddress,
}: Asked): bigint | undefined {
  if (fixedRate === undefined) return undefined;
  if (!/^\d{1,4}$/.test(fixedRate)) throw refused("`fixedRate` must be basis points from 0 to 9999");
  if (subsidizeFees === true) throw refused("`fixedRate` has no fees to sponsor");
  if (topupGas === true) throw refused("`fixedRate` delivers no gas top-up");
  if (useDepositAddress === true) throw refused("`fixedRate` has no deposit address");
  return BigInt(fixedRate);
}

/** Fixed rates are for integrators (specification, "Request record, version 3"). @throws QuoteError `UNAUTHORIZED` */
export function assertIntegrator({ fixedRate }: Asked, apiKey: Pick<ApiKey, "id"> | undefined): void {
  if (fixedRate === undefined || apiKey !== undefined) return;
  throw new QuoteError("UNAUTHORIZED", "`fixedRate` needs an API key");
}

function refused(message: string): QuoteError {
  return new QuoteError("UNSUPPORTED_EXECUTION_TYPE", message);
}
