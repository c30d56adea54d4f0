import { type ServiceErrorCode, serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { quoteErrorSchema } from "../../../src/schema/errorBody.ts";
import type { Answer } from "../openapi/Route.ts";

/** What quotes and prices are refused with: any of the service's codes. */
export const quoteRefused: Answer = {
  body: quoteErrorSchema,
  description: "There is no quote, for a reason that the caller can do something about",
  errorCodes: Object.keys(serviceErrorCodes) as ServiceErrorCode[],
};

/** What reads of chains and currencies are refused with. */
export const unsupported = (...errorCodes: readonly ServiceErrorCode[]): Answer => ({
  body: quoteErrorSchema,
  description: "Something that is asked about does not exist here",
  errorCodes,
});

/** What is well formed and cannot be done. */
export const controlRefused: Answer = {
  body: quoteErrorSchema,
  description: "It cannot be done; the message says why",
  errorCodes: ["CONTROL_REFUSED"],
};

/** What there is nothing of under a name. */
export const notFound = (
  description: string,
  errorCode: "NOT_FOUND" | "REQUEST_NOT_FOUND" = "NOT_FOUND",
): Answer => ({ body: quoteErrorSchema, description, errorCodes: [errorCode] });
