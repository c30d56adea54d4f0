export * from "../errors/BaseError.ts";
export * from "../errors/InvalidParameterError.ts";
export * from "./address.ts";
export * from "./constants.ts";
export * from "./measureSvmTransaction.ts";
export type { SvmAccountMeta, SvmInstruction, SvmTransactionData } from "./SvmTransaction.ts";
