import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import { QuoteError } from "../../errors/QuoteError.ts";

/** Unsupported parameters with an effect, each with the test whether a request uses it. */
const unsupported: Readonly<Partial<Record<keyof QuoteRequest, (request: QuoteRequest) => boolean>>> = {
  recoveryAddress: ({ recoveryAddress, useDepositAddress }) =>
    recoveryAddress !== undefined && useDepositAddress !== true,
};

/** Refuses parameters of the interface that the emulator does not support, instead of ignoring them. */
export function refuseUnsupported(request: QuoteRequest): void {
  refuseContradictions(request);
  for (const [name, isAsked] of Object.entries(unsupported)) {
    if (isAsked(request)) {
      throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", `\`${name}\` is not supported`);
    }
  }
}

function refuseContradictions({ gasLimitForDepositSpecifiedTxs, txs = [], useDepositAddress }: QuoteRequest) {
  if (useDepositAddress === true && txs.length > 0) {
    throw new QuoteError("EXTRA_TXS_NOT_SUPPORTED", "Payments to a deposit address make no calls");
  }
  if (gasLimitForDepositSpecifiedTxs === 0) {
    throw new QuoteError(
      "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS",
      "`gasLimitForDepositSpecifiedTxs` is zero, and no call takes that little",
    );
  }
}
