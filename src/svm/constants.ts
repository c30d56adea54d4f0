/**
 * The service's id of the SVM chain.
 *
 * @example
 * import { svmChainId } from "waybill/svm";
 *
 * console.log(svmChainId); // 792703809
 */
export const svmChainId = 792703809;

/**
 * The native currency's address: 32 bytes of zero, which are 32 ones in base58.
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
 * What a transaction may have on the wire at most, in bytes.
 *
 * @example
 * import { svmTransactionLimit } from "waybill/svm";
 *
 * console.log(svmTransactionLimit); // 1232
 */
export const svmTransactionLimit = 1232;

/**
 * What a quote's transaction may have, in bytes, so that compute-budget instructions still fit (specification, "Limits").
 *
 * @example
 * import { svmQuoteLimit } from "waybill/svm";
 *
 * console.log(svmQuoteLimit); // 1172
 */
export const svmQuoteLimit = 1172;
