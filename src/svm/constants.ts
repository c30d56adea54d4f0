/**
 * The service's chain id of the SVM chain.
 *
 * @example
 * import { svmChainId } from "waybill/svm";
 *
 * console.log(svmChainId); // 792703809
 */
export const svmChainId = 792703809;

/**
 * Address of the native currency: 32 zero bytes, 32 ones in base58.
 *
 * @example
 * import { svmNativeToken } from "waybill/svm";
 *
 * console.log(svmNativeToken); // "11111111111111111111111111111111"
 */
export const svmNativeToken = "11111111111111111111111111111111";

/**
 * Decimals of the native currency.
 *
 * @example
 * import { svmNativeDecimals } from "waybill/svm";
 *
 * console.log(svmNativeDecimals); // 9
 */
export const svmNativeDecimals = 9;

/**
 * Maximum size of a transaction on the wire, in bytes.
 *
 * @example
 * import { svmTransactionLimit } from "waybill/svm";
 *
 * console.log(svmTransactionLimit); // 1232
 */
export const svmTransactionLimit = 1232;

/**
 * Maximum size of a quote's transaction, in bytes, that leaves room for compute-budget instructions (specification,
 * "Limits").
 *
 * @example
 * import { svmQuoteLimit } from "waybill/svm";
 *
 * console.log(svmQuoteLimit); // 1172
 */
export const svmQuoteLimit = 1172;
