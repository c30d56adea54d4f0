/** The service's id of the SVM chain. */
export const svmChainId = 792703809;

/** The native currency's address: 32 bytes of zero, which are 32 ones in base58. */
export const svmNativeToken = "11111111111111111111111111111111";

/** Decimals of the native currency. */
export const svmNativeDecimals = 9;

/** What a transaction may have on the wire at most, in bytes. */
export const svmTransactionLimit = 1232;

/** What a quote's transaction may have, in bytes, so that compute-budget instructions still fit (specification, "Limits"). */
export const svmQuoteLimit = 1172;
