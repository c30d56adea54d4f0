export * from "./calls/approve.ts";
export type * from "./calls/Call.ts";
export type { SimulatedAllowance, SimulatedBalance, SimulatedLeftover } from "./calls/callReads.ts";
export * from "./calls/calls.ts";
export * from "./calls/checkCalls.ts";
export { type CallFinding, type CallFindingCode, callFindingCodes } from "./calls/checks/CallsUnderCheck.ts";
export * from "./calls/contractCall.ts";
export * from "./calls/decodeRevert.ts";
export * from "./calls/encodeWithLiveBalances.ts";
export * from "./calls/explainFailure.ts";
export * from "./calls/liveBalance.ts";
export type { GasSource, SimulatedLog } from "./calls/measureGas.ts";
export * from "./calls/proxyStep.ts";
export * from "./calls/quoteSimulator.ts";
export type { RouterVersion } from "./calls/RouterVersion.ts";
export type { FailureSource, GetFailedRequests } from "./calls/readFailure.ts";
export * from "./calls/recipes/depositToVault.ts";
export * from "./calls/recipes/mintNft.ts";
export * from "./calls/recipes/supplyToPool.ts";
export * from "./calls/recipes/swapFromNativeOnUniswapV2.ts";
export * from "./calls/recipes/swapOnUniswapV2.ts";
export * from "./calls/recipes/swapToNativeOnUniswapV2.ts";
export * from "./calls/recipes/unwrapNative.ts";
export * from "./calls/recipes/wrapNative.ts";
export * from "./calls/simulateCalls.ts";
export * from "./calls/sweep.ts";
export * from "./calls/toCall.ts";
export * from "./errors/BaseError.ts";
export { ChainReadFailedError, type ChainReadFailedErrorOptions } from "./errors/ChainReadFailedError.ts";
export * from "./errors/InvalidParameterError.ts";
export * from "./records/depositWitness.ts";
export * from "./records/encodeRecord.ts";
export * from "./records/explainTerms.ts";
export * from "./records/formatOrder.ts";
export { type HashOrderParameters, type HashOrderReturnType, hashOrder } from "./records/hashOrder.ts";
export * from "./records/hashRecord.ts";
export * from "./records/normalizeOrder.ts";
export type * from "./records/Order.ts";
export * from "./records/orderAddress.ts";
export * from "./records/orderCall.ts";
export * from "./records/orderDepositWitness.ts";
export * from "./records/orderExtraData.ts";
export {
  type HashedOrderTerms,
  type OrderTerms,
  type OrderTermsParameters,
  type OrderTermsReturnType,
  orderTerms,
} from "./records/orderTerms.ts";
export * from "./records/recordFromResponse.ts";
export * from "./records/recoverOrderSigner.ts";
export * from "./records/recoverSigner.ts";
export * from "./records/SignatureInvalidError.ts";
export * from "./records/SignatureRecord.ts";
export * from "./records/signOrder.ts";
export * from "./records/signRecord.ts";
export * from "./records/verifyOrder.ts";
export * from "./records/verifyRecord.ts";
export type { ChainVmTypes } from "./records/vmTypeOf.ts";
export type * from "./records/WireOrder.ts";
