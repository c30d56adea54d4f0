/** The service's chain id of the SVM chain. */
export const svmChainId = 792703809;

/** Address of the native currency: 32 zero bytes, 32 ones in base58. */
export const svmNativeToken = "11111111111111111111111111111111";

/** Decimals of the native currency. */
export const svmNativeDecimals = 9;

/** Maximum size of a transaction on the wire, in bytes. */
export const svmTransactionLimit = 1232;

/**
 * Maximum size of a quote's transaction, in bytes, that leaves room for compute-budget instructions (specification,
 * "Limits").
 */
export const svmQuoteLimit = 1172;
