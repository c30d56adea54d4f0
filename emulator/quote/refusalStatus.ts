import { type ServiceErrorCode, serviceErrorCodes } from "../../src/errors/serviceErrorCodes.ts";

/** HTTP statuses of a refused quote or price. */
export type RefusalStatus = 400 | 401 | 403 | 500 | 503;

/** Codes with another status than 400. */
const statuses: Readonly<Partial<Record<ServiceErrorCode, RefusalStatus>>> = {
  ERC20_ROUTER_ADDRESS_NOT_FOUND: 500,
  FORBIDDEN: 403,
  PERMIT_FAILED: 500,
  PRICE_FETCH_FAILED: 503,
  REQUEST_TIMED_OUT: 503,
  RPC_HTTP_ERROR: 503,
  SERVICE_UNAVAILABLE: 503,
  SWAP_QUOTE_FAILED: 500,
  UNAUTHORIZED: 401,
  UNKNOWN_ERROR: 500,
};

/** HTTP status of a code. */
export function refusalStatus(errorCode: ServiceErrorCode): RefusalStatus {
  return statuses[errorCode] ?? 400;
}

/** Documented codes of an HTTP status. */
export function codesWith(status: RefusalStatus): readonly ServiceErrorCode[] {
  const codes = Object.keys(serviceErrorCodes) as ServiceErrorCode[];
  return codes.filter((code) => refusalStatus(code) === status);
}
