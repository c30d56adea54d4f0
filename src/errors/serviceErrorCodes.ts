/** The service's classification of an error code. */
export type ServiceErrorCodeClass = {
  /** Expected codes are the caller's to fix; unexpected ones are the service's fault. */
  expected: boolean;
  /** Whether the service documents that the same call may succeed later. */
  retryable: boolean;
};

const fixedByCaller: ServiceErrorCodeClass = Object.freeze({ expected: true, retryable: false });
const passesByItself: ServiceErrorCodeClass = Object.freeze({ expected: true, retryable: true });
const unexpected: ServiceErrorCodeClass = Object.freeze({ expected: false, retryable: false });

/**
 * Every `errorCode` that the service documents for quotes, with its classification.
 *
 * Source: the service's page on handling errors. Unknown codes are accepted as neither expected nor retryable.
 */
export const serviceErrorCodes = Object.freeze({
  AMOUNT_TOO_LOW: fixedByCaller,
  CHAIN_DISABLED: fixedByCaller,
  EXTRA_TXS_NOT_SUPPORTED: fixedByCaller,
  FORBIDDEN: fixedByCaller,
  INSUFFICIENT_FUNDS: fixedByCaller,
  INSUFFICIENT_LIQUIDITY: fixedByCaller,
  INVALID_ADDRESS: fixedByCaller,
  INVALID_EXTRA_TXS: fixedByCaller,
  INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS: fixedByCaller,
  INVALID_INPUT_CURRENCY: fixedByCaller,
  INVALID_OUTPUT_CURRENCY: fixedByCaller,
  INVALID_RECIPIENT: fixedByCaller,
  INVALID_SLIPPAGE_TOLERANCE: fixedByCaller,
  NO_INTERNAL_SWAP_ROUTES_FOUND: fixedByCaller,
  NO_QUOTES: fixedByCaller,
  NO_SWAP_ROUTES_FOUND: fixedByCaller,
  PRICE_FETCH_FAILED: passesByItself,
  REQUEST_TIMED_OUT: passesByItself,
  ROUTE_TEMPORARILY_RESTRICTED: fixedByCaller,
  RPC_HTTP_ERROR: passesByItself,
  SANCTIONED_CURRENCY: fixedByCaller,
  SANCTIONED_WALLET_ADDRESS: fixedByCaller,
  SERVICE_UNAVAILABLE: passesByItself,
  SOLANA_TX_TOO_LARGE: fixedByCaller,
  SWAP_IMPACT_TOO_HIGH: fixedByCaller,
  UNAUTHORIZED: fixedByCaller,
  UNSUPPORTED_CHAIN: fixedByCaller,
  UNSUPPORTED_CURRENCY: fixedByCaller,
  UNSUPPORTED_EXECUTION_TYPE: fixedByCaller,
  UNSUPPORTED_ROUTE: fixedByCaller,
  USER_RECIPIENT_MISMATCH: fixedByCaller,
  DESTINATION_TX_FAILED: unexpected,
  ERC20_ROUTER_ADDRESS_NOT_FOUND: unexpected,
  UNKNOWN_ERROR: unexpected,
  SWAP_QUOTE_FAILED: unexpected,
  PERMIT_FAILED: unexpected,
} satisfies Record<string, ServiceErrorCodeClass>);

/** One of the documented error codes. */
export type ServiceErrorCode = keyof typeof serviceErrorCodes;

/**
 * Returns whether the service documents an error code as temporary.
 *
 * @param errorCode A code from an error body; unknown codes and `undefined` are not retryable.
 *
 * @example
 * import { isRetryableErrorCode } from "waybill/client";
 *
 * isRetryableErrorCode("RPC_HTTP_ERROR"); // true
 * isRetryableErrorCode("NO_QUOTES"); // false
 */
export function isRetryableErrorCode(errorCode: string | undefined): boolean {
  if (typeof errorCode !== "string" || !Object.hasOwn(serviceErrorCodes, errorCode)) return false;
  return serviceErrorCodes[errorCode as ServiceErrorCode].retryable;
}
