export * from "../errors/BaseError.ts";
export * from "../errors/InvalidParameterError.ts";
export * from "./address.ts";
export type { SvmAdvice, SvmQuoteChange } from "./advice.ts";
export * from "./constants.ts";
export * from "./measureSvmTransaction.ts";
export type { SvmAccountMeta, SvmInstruction, SvmTransactionData } from "./SvmTransaction.ts";
