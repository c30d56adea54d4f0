import type { ServiceErrorCode } from "../../../src/errors/serviceErrorCodes.ts";
import { quoteErrorSchema } from "../../../src/schema/wire/errorBody.ts";
import { codesWith, type RefusalStatus } from "../../quote/refusalStatus.ts";
import type { Answer } from "./Route.ts";

const refused = (status: RefusalStatus, description: string): Answer => ({
  body: quoteErrorSchema,
  description,
  errorCodes: codesWith(status),
});

/** Error answers of quotes and prices: all of the service's codes, by status. */
export const quoteRefusals: Readonly<Record<RefusalStatus, Answer>> = {
  400: refused(400, "No quote, for a reason that the caller can change"),
  401: refused(401, "Unknown API key"),
  403: refused(403, "The caller lacks permission; only by a fault"),
  500: refused(500, "A dependency of the quote failed"),
  503: refused(503, "A dependency of the quote is temporarily unavailable"),
};

/** Error answer for an unknown chain or currency. */
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
