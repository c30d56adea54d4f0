export { type ApproveParameters, type ApproveReturnType, approve } from "./calls/approve.ts";
export type { Call, TxRequest } from "./calls/Call.ts";
export type { SimulatedAllowance, SimulatedBalance, SimulatedLeftover } from "./calls/callReads.ts";
export { type CallPlan, type CallsParameters, type CallsReturnType, calls } from "./calls/calls.ts";
export { type CheckCallsParameters, type CheckCallsReturnType, checkCalls } from "./calls/checkCalls.ts";
export { type CallFinding, type CallFindingCode, callFindingCodes } from "./calls/checks/CallsUnderCheck.ts";
export {
  type ContractCallParameters,
  type ContractCallReturnType,
  contractCall,
} from "./calls/contractCall.ts";
export { decodeRevert, type Revert } from "./calls/decodeRevert.ts";
export {
  type EncodeWithLiveBalancesParameters,
  type EncodeWithLiveBalancesReturnType,
  encodeWithLiveBalances,
  type Splice,
} from "./calls/encodeWithLiveBalances.ts";
export {
  type ExplainFailureParameters,
  type ExplainFailureReturnType,
  explainFailure,
  type FailureSource,
  type GetFailedRequests,
} from "./calls/explainFailure.ts";
export { balanceOf, LiveBalance, nativeBalance, type WithLiveBalances } from "./calls/liveBalance.ts";
export type { GasSource, SimulatedLog } from "./calls/measureGas.ts";
export {
  type ProxyOutput,
  type ProxyStepParameters,
  type ProxyStepReturnType,
  proxyStep,
} from "./calls/proxyStep.ts";
export { quoteSimulator } from "./calls/quoteSimulator.ts";
export type { RouterVersion } from "./calls/RouterVersion.ts";
export {
  type DepositToVaultParameters,
  type DepositToVaultReturnType,
  depositToVault,
} from "./calls/recipes/depositToVault.ts";
export { type MintNftParameters, type MintNftReturnType, mintNft } from "./calls/recipes/mintNft.ts";
export {
  type SupplyToPoolParameters,
  type SupplyToPoolReturnType,
  supplyToPool,
} from "./calls/recipes/supplyToPool.ts";
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
export {
  type UnwrapNativeParameters,
  type UnwrapNativeReturnType,
  unwrapNative,
  type WrapNativeParameters,
  type WrapNativeReturnType,
  wrapNative,
} from "./calls/recipes/wrappedNative.ts";
export {
  type SimulateCallsParameters,
  type SimulateCallsReturnType,
  type SimulatedCall,
  simulateCalls,
} from "./calls/simulateCalls.ts";
export {
  type SweepErc20sParameters,
  type SweepParameters,
  type SweepReturnType,
  sweepErc20s,
  sweepNative,
} from "./calls/sweep.ts";
export {
  type ContractCallInput,
  type EncodedCallInput,
  type ToCallParameters,
  type ToCallReturnType,
  toCall,
} from "./calls/toCall.ts";
export { BaseError, type BaseErrorOptions } from "./errors/BaseError.ts";
export { ChainReadFailedError, type ChainReadFailedErrorOptions } from "./errors/ChainReadFailedError.ts";
export { InvalidParameterError } from "./errors/InvalidParameterError.ts";
export {
  type HashDepositWitnessParameters,
  type HashDepositWitnessReturnType,
  hashDepositWitness,
  type Permit2TypedDataParameters,
  type Permit2TypedDataReturnType,
  permit2TypedData,
} from "./records/depositWitness.ts";
export {
  type EncodeRecordParameters,
  type EncodeRecordReturnType,
  encodeRecord,
  type HashRecordParameters,
  type HashRecordReturnType,
  hashRecord,
  type SignRecordParameters,
  type SignRecordReturnType,
  signRecord,
} from "./records/encodeRecord.ts";
export {
  type ExplainTermsParameters,
  type ExplainTermsReturnType,
  explainTerms,
  type OrderTermsDifference,
  type OrderTermsFault,
} from "./records/explainTerms.ts";
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
export type { Order, OrderFee, OrderInput, OrderOutput } from "./records/Order.ts";
export {
  type EncodeOrderAddressParameters,
  type EncodeOrderAddressReturnType,
  encodeOrderAddress,
  type OrderAddressVmType,
} from "./records/orderAddress.ts";
export {
  type DecodeOrderCallParameters,
  type DecodeOrderCallReturnType,
  type DecodeOrderExtraDataParameters,
  type DecodeOrderExtraDataReturnType,
  decodeOrderCall,
  decodeOrderExtraData,
  type EncodeOrderCallParameters,
  type EncodeOrderCallReturnType,
  type EncodeOrderExtraDataParameters,
  type EncodeOrderExtraDataReturnType,
  encodeOrderCall,
  encodeOrderExtraData,
  type OrderCall,
  type OrderExtraData,
} from "./records/orderCall.ts";
export {
  type HashOrderDepositWitnessParameters,
  type HashOrderDepositWitnessReturnType,
  hashOrderDepositWitness,
  type OrderPermit2TypedDataParameters,
  type OrderPermit2TypedDataReturnType,
  orderPermit2TypedData,
} from "./records/orderDepositWitness.ts";
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
export { type SignatureFault, SignatureInvalidError } from "./records/SignatureInvalidError.ts";
export {
  type RecordFromResponseParameters,
  type RecordFromResponseReturnType,
  recordFromResponse,
  recordWord,
  type SignatureRecord,
} from "./records/SignatureRecord.ts";
export {
  type OrderMistake,
  type VerifyOrderParameters,
  type VerifyOrderReturnType,
  verifyOrder,
} from "./records/verifyOrder.ts";
export {
  type RecordMistake,
  type VerifyRecordParameters,
  type VerifyRecordReturnType,
  verifyRecord,
} from "./records/verifyRecord.ts";
