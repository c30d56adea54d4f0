import * as z from "zod/mini";
import { type ServiceErrorCode, serviceErrorCodes } from "../../errors/serviceErrorCodes.ts";
import { callDataSchema } from "./callData.ts";
import { openEnum } from "./openEnum.ts";
import { wireObject } from "./wireObject.ts";

const documented = Object.keys(serviceErrorCodes) as [ServiceErrorCode, ...ServiceErrorCode[]];

/** An error code; accepts undocumented values. `serviceErrorCodes` classifies the documented ones. */
const errorCodeSchema = openEnum(documented);

/**
 * Body of an error answer, in all the forms that the service's endpoints use: quotes name the code
 * `errorCode`, the signature endpoints `code`, and the execute API puts its sentence into `error`.
 */
export type ErrorBody = z.output<typeof errorBodySchema>;
export const errorBodySchema = wireObject({
  message: z.optional(z.string()),
  errorCode: z.optional(errorCodeSchema),
  code: z.optional(z.string()),
  error: z.optional(z.string()),
  errorData: z.optional(z.unknown()),
  requestId: z.optional(z.string()),
  approxSimulatedBlock: z.nullish(z.number()),
  failedCallData: z.nullish(callDataSchema),
});

/** Error body of quotes and prices (400, 401, 500, 503). */
export type QuoteErrorBody = z.output<typeof quoteErrorSchema>;
export const quoteErrorSchema = wireObject({
  message: z.string(),
  errorCode: errorCodeSchema,
  errorData: z.optional(z.unknown()),
  requestId: z.optional(z.string()),
  approxSimulatedBlock: z.nullish(z.number()),
  failedCallData: z.nullish(callDataSchema),
});

/** Error body with only a message; used by some endpoints and every 429. */
export type MessageErrorBody = z.output<typeof messageErrorSchema>;
export const messageErrorSchema = wireObject({ message: z.string() });

/** Error body of the signature, configuration and health endpoints, with field `code`. */
export type CodeErrorBody = z.output<typeof codeErrorSchema>;
export const codeErrorSchema = wireObject({ message: z.string(), code: z.string() });

/** Body of a 429 of `GET /requests/v2`, which also points at its successor. */
export type RetiringErrorBody = z.output<typeof retiringErrorSchema>;
export const retiringErrorSchema = wireObject({
  message: z.string(),
  successor: z.string(),
  migrationGuide: z.string(),
});
