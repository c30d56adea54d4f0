import { type ServiceErrorCode, serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { quoteErrorSchema } from "../../../src/schema/wire/errorBody.ts";
import type { Answer } from "./Route.ts";

type RefusalStatus = 400 | 401 | 403 | 500 | 503;

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

function codesWith(status: RefusalStatus): readonly ServiceErrorCode[] {
  const codes = Object.keys(serviceErrorCodes) as ServiceErrorCode[];
  return codes.filter((code) => refusalStatus(code) === status);
}

const refused = (status: RefusalStatus, description: string): Answer => ({
  body: quoteErrorSchema,
  description,
  errorCodes: codesWith(status),
});

/** Error answers of quotes and prices: all of the service's codes, by status. */
export const quoteRefusals: Readonly<Record<RefusalStatus, Answer>> = {
  400: refused(400, "No quote, for a reason that the caller can change"),
  401: refused(401, "Unknown API key, or none for a sponsored quote or a fixed rate"),
  403: refused(403, "The API key has no sponsor's balance for a sponsored quote"),
  500: refused(500, "A dependency of the quote failed"),
  503: refused(503, "A dependency of the quote is temporarily unavailable"),
};

export const unsupported = (...errorCodes: readonly ServiceErrorCode[]): Answer => ({
  body: quoteErrorSchema,
  description: "The chain or currency does not exist",
  errorCodes,
});

/** Error answer for a valid request that cannot be carried out. */
export const controlRefused: Answer = {
  body: quoteErrorSchema,
  description: "The change is impossible; the message says why",
  errorCodes: ["CONTROL_REFUSED"],
};

/** Error answer for an unknown id. */
export const notFound = (
  description: string,
  errorCode: "NOT_FOUND" | "REQUEST_NOT_FOUND" = "NOT_FOUND",
): Answer => ({ body: quoteErrorSchema, description, errorCodes: [errorCode] });
