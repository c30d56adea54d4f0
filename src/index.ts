export * from "./calls/approve.ts";
export type * from "./calls/Call.ts";
export type { SimulatedAllowance, SimulatedBalance, SimulatedLeftover } from "./calls/callReads.ts";
export * from "./calls/calls.ts";
export * from "./calls/checkCalls.ts";
export { type CallFinding, type CallFindingCode, callFindingCodes } from "./calls/checks/CallsUnderCheck.ts";
export {
  type ContractCallParameters,
  type ContractCallReturnType,
  contractCall,
} from "./calls/contractCall.ts";
export * from "./calls/decodeRevert.ts";
export * from "./calls/encodeWithLiveBalances.ts";
export * from "./calls/explainFailure.ts";
export * from "./calls/liveBalance.ts";
export type { GasSource, SimulatedLog } from "./calls/measureGas.ts";
export * from "./calls/proxyStep.ts";
export * from "./calls/quoteSimulator.ts";
export type { RouterVersion } from "./calls/RouterVersion.ts";
export * from "./calls/recipes/depositToVault.ts";
export * from "./calls/recipes/mintNft.ts";
export * from "./calls/recipes/supplyToPool.ts";
export {
  type SwapFromNativeOnUniswapV2Parameters,
  type SwapFromNativeOnUniswapV2ReturnType,
  type SwapOnUniswapV2Parameters,
  type SwapOnUniswapV2ReturnType,
  type SwapToNativeOnUniswapV2Parameters,
  type SwapToNativeOnUniswapV2ReturnType,
  swapFromNativeOnUniswapV2,
  swapOnUniswapV2,
  swapToNativeOnUniswapV2,
} from "./calls/recipes/uniswapV2.ts";
export * from "./calls/recipes/wrappedNative.ts";
export * from "./calls/simulateCalls.ts";
export * from "./calls/sweep.ts";
export * from "./calls/toCall.ts";
export * from "./errors/BaseError.ts";
export { ChainReadFailedError, type ChainReadFailedErrorOptions } from "./errors/ChainReadFailedError.ts";
export * from "./errors/InvalidParameterError.ts";
export {
  type HashDepositWitnessParameters,
  type HashDepositWitnessReturnType,
  hashDepositWitness,
  type Permit2TypedDataParameters,
  type Permit2TypedDataReturnType,
  permit2TypedData,
} from "./records/depositWitness.ts";
export * from "./records/encodeRecord.ts";
export * from "./records/explainTerms.ts";
export {
  type HashOrderParameters,
  type HashOrderReturnType,
  hashOrder,
  type SignOrderParameters,
  type SignOrderReturnType,
  signOrder,
} from "./records/hashOrder.ts";
export {
  type ChainVmTypes,
  type FormatOrderParameters,
  type FormatOrderReturnType,
  formatOrder,
  type NormalizeOrderParameters,
  type NormalizeOrderReturnType,
  normalizeOrder,
  type WireOrder,
} from "./records/normalizeOrder.ts";
export type * from "./records/Order.ts";
export * from "./records/orderAddress.ts";
export * from "./records/orderCall.ts";
export * from "./records/orderDepositWitness.ts";
export {
  type HashedOrderTerms,
  type OrderTerms,
  type OrderTermsParameters,
  type OrderTermsReturnType,
  orderTerms,
} from "./records/orderTerms.ts";
export {
  type RecoverOrderSignerParameters,
  type RecoverOrderSignerReturnType,
  type RecoverSignerParameters,
  type RecoverSignerReturnType,
  recoverOrderSigner,
  recoverSigner,
} from "./records/recoverSigner.ts";
export * from "./records/SignatureInvalidError.ts";
export * from "./records/SignatureRecord.ts";
export * from "./records/verifyOrder.ts";
export * from "./records/verifyRecord.ts";
