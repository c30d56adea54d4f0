import type { Context as HonoContext } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorBody } from "../../../src/schema/wire/errorBody.ts";
import type { FailedCallData } from "../../errors/refusals.ts";

/** Error codes beyond the documented ones, for example for an unreadable body. See `docs/assumptions.md`. */
export type LocalErrorCode =
  | "INVALID_REQUEST"
  | "BODY_TOO_LARGE"
  | "CHAIN_REPLACED"
  | "CONTROL_REFUSED"
  | "NOT_FOUND"
  | "REQUEST_NOT_FOUND";

/** Fields of an error body, in addition to its message. */
type ErrorContext = {
  errorCode: NonNullable<ErrorBody["errorCode"]> | LocalErrorCode;
  errorData?: unknown;
  failedCallData?: FailedCallData | undefined;
  approxSimulatedBlock?: number | undefined;
  requestId?: string | undefined;
};

/** Answers with an error in the shape of the quote endpoints. */
export function errorAnswer(
  http: HonoContext,
  status: ContentfulStatusCode,
  message: string,
  { approxSimulatedBlock, errorCode, errorData, failedCallData, requestId }: ErrorContext,
): Response {
  return http.json(
    {
      errorCode,
      message,
      ...(errorData !== undefined && { errorData }),
      ...(failedCallData !== undefined && { failedCallData }),
      ...(approxSimulatedBlock !== undefined && { approxSimulatedBlock }),
      ...(requestId !== undefined && { requestId }),
    },
    status,
  );
}
