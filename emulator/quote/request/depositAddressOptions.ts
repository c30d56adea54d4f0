import { type Address, zeroAddress } from "viem";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import type { Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import type { DepositAddressTerms } from "../../requests/Intent.ts";
import { parseAccount } from "./parseAccount.ts";

/** Terms of a deposit address before it is derived. */
export type DepositAddressOptions = Pick<DepositAddressTerms, "type" | "refundsSender"> & {
  readonly recoveryAddress: Address | undefined;
};

/** Reads the terms of a deposit address; `undefined` if the request has none. */
export function readDepositAddress(request: QuoteRequest, origin: Place): DepositAddressOptions | undefined {
  const { recoveryAddress, refundTo, strict, tradeType, useDepositAddress, usePermit } = request;
  if (useDepositAddress !== true) return undefined;
  if (usePermit === true) {
    throw new QuoteError(
      "UNSUPPORTED_EXECUTION_TYPE",
      "`usePermit` is not supported with `useDepositAddress`",
    );
  }
  if (strict !== true && tradeType !== "EXACT_INPUT") {
    throw new QuoteError(
      "UNSUPPORTED_EXECUTION_TYPE",
      `\`tradeType\` ${tradeType} is supported with a strict deposit address only`,
    );
  }
  if (strict === true && refundTo === undefined) {
    throw new QuoteError("INVALID_ADDRESS", "A strict deposit address requires `refundTo`");
  }
  return {
    recoveryAddress:
      recoveryAddress === undefined
        ? undefined
        : parseAccount(origin, recoveryAddress, "INVALID_ADDRESS", "recoveryAddress"),
    refundsSender: refundTo === undefined || refundTo === zeroAddress,
    type: strict === true ? "strict" : "open",
  };
}
