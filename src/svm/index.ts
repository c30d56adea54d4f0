export { BaseError, type BaseErrorOptions } from "../errors/BaseError.ts";
export { InvalidParameterError } from "../errors/InvalidParameterError.ts";
export {
  type DecodeSvmAddressParameters,
  type DecodeSvmAddressReturnType,
  decodeSvmAddress,
  type EncodeSvmAddressParameters,
  type EncodeSvmAddressReturnType,
  encodeSvmAddress,
  type IsSvmAddressParameters,
  type IsSvmAddressReturnType,
  isSvmAddress,
} from "./address.ts";
export {
  svmChainId,
  svmNativeDecimals,
  svmNativeToken,
  svmQuoteLimit,
  svmTransactionLimit,
} from "./constants.ts";
export {
  type MeasureSvmTransactionParameters,
  type MeasureSvmTransactionReturnType,
  measureSvmTransaction,
  type SvmAdvice,
  type SvmQuoteChange,
} from "./measureSvmTransaction.ts";
export type { SvmAccountMeta, SvmInstruction, SvmTransactionData } from "./SvmTransaction.ts";
