import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import { isEvmChain, type Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/QuoteError.ts";

/**
 * Refuses what the perps exchange cannot do: calls, permits, and requests that never leave it.
 *
 * @throws QuoteError with the code of the violated rule.
 */
export function refuseOnExchange(request: QuoteRequest, origin: Place, destination: Place): void {
  if (isEvmChain(origin) && isEvmChain(destination)) return;
  if (origin === destination) {
    throw new QuoteError("UNSUPPORTED_ROUTE", "Transfers within the exchange are its own");
  }
  if (!isEvmChain(destination) && (request.txs ?? []).length > 0) {
    throw new QuoteError("EXTRA_TXS_NOT_SUPPORTED", "The exchange makes no calls");
  }
  const parameter = unusableOn(request, origin, destination);
  if (parameter !== undefined) {
    throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", `\`${parameter}\` is not supported with the exchange`);
  }
  if (isEvmChain(origin)) return;
  if (request.protocolVersion !== "v2") {
    const message = "A withdrawal from the exchange must send `protocolVersion` `v2`";
    throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", message);
  }
}

/** A parameter about transactions that a chain without transactions cannot use. */
function unusableOn(request: QuoteRequest, origin: Place, destination: Place): string | undefined {
  const { authorizationList = [], originGasOverhead = 0, topupGas, useDepositAddress, usePermit } = request;
  if (!isEvmChain(destination)) {
    if (topupGas === true) return "topupGas";
    if (authorizationList.length > 0) return "authorizationList";
  }
  if (isEvmChain(origin)) return undefined;
  if (originGasOverhead > 0) return "originGasOverhead";
  if (useDepositAddress === true) return "useDepositAddress";
  return usePermit === true ? "usePermit" : undefined;
}
