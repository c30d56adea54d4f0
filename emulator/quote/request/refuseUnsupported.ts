import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/refusals.ts";

/** Refuses parameters that contradict each other, instead of ignoring one of them. */
export function refuseUnsupported({
  depositFeePayer,
  gasLimitForDepositSpecifiedTxs,
  recoveryAddress,
  txs = [],
  useDepositAddress,
  user,
}: QuoteRequest): void {
  if (depositFeePayer !== undefined && depositFeePayer === user) {
    throw new QuoteError("INVALID_ADDRESS", "`depositFeePayer` is `user`: it must be another account");
  }
  if (useDepositAddress === true && txs.length > 0) {
    throw new QuoteError("EXTRA_TXS_NOT_SUPPORTED", "Payments to a deposit address make no calls");
  }
  if (gasLimitForDepositSpecifiedTxs === 0) {
    throw new QuoteError(
      "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS",
      "`gasLimitForDepositSpecifiedTxs` is zero, and no call takes that little",
    );
  }
  if (recoveryAddress !== undefined && useDepositAddress !== true) {
    throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", "`recoveryAddress` needs `useDepositAddress`");
  }
}

/** Refuses what the perps exchange and the SVM chain cannot do: calls, permits, and requests that never leave them. */
export function refuseOutsideEvm(request: QuoteRequest, origin: Place, destination: Place): void {
  if (isEvmChain(origin) && isEvmChain(destination)) return;
  if (origin === destination && !isSvmChain(origin)) {
    throw new QuoteError("UNSUPPORTED_ROUTE", "A request cannot stay on the perps exchange");
  }
  if (!isEvmChain(destination) && (request.txs ?? []).length > 0) {
    throw new QuoteError("EXTRA_TXS_NOT_SUPPORTED", "Calls are made on EVM chains only");
  }
  const parameter = unusableOn(request, origin, destination);
  if (parameter !== undefined) {
    throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", `\`${parameter}\` is for EVM chains only`);
  }
  if (isEvmChain(origin)) return;
  if (!isSvmChain(origin) && request.protocolVersion !== "v2") {
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
  if (Number(originGasOverhead) > 0) return "originGasOverhead";
  if (useDepositAddress === true && !isSvmChain(origin)) return "useDepositAddress";
  return usePermit === true ? "usePermit" : undefined;
}
