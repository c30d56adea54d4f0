import type { ServiceErrorCode } from "../../../src/errors/serviceErrorCodes.ts";
import { quoteErrorSchema } from "../../../src/schema/errorBody.ts";
import { codesWith, type RefusalStatus } from "../../quote/refusalStatus.ts";
import type { Answer } from "./Route.ts";

const refused = (status: RefusalStatus, description: string): Answer => ({
  body: quoteErrorSchema,
  description,
  errorCodes: codesWith(status),
});

/** What quotes and prices are refused with: all of the service's codes, by status. */
export const quoteRefusals: Readonly<Record<RefusalStatus, Answer>> = {
  400: refused(400, "There is no quote, for a reason that the caller can do something about"),
  401: refused(401, "The caller is not known"),
  403: refused(403, "The caller may not ask for this; only by a fault"),
  500: refused(500, "Something that a quote needs failed"),
  503: refused(503, "Something that a quote needs is away for a moment"),
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
