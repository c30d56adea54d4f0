import * as z from "zod";
import { type ServiceErrorCode, serviceErrorCodes } from "../errors/serviceErrorCodes.ts";
import { openEnum } from "./openEnum.ts";
import { wireObject } from "./wireObject.ts";

const documented = Object.keys(serviceErrorCodes) as [ServiceErrorCode, ...ServiceErrorCode[]];

/**
 * An error code as a client reads it: undocumented values pass. `serviceErrorCodes` says what each one
 * means for the caller.
 *
 * @example
 * errorCodeSchema.parse("NO_QUOTES"); // "NO_QUOTES"
 */
export const errorCodeSchema = openEnum(documented);

/**
 * Body of an error answer, in all the forms that the service's endpoints use: quotes name the code
 * `errorCode`, the signature endpoints `code`, and the execute API puts its sentence into `error`.
 *
 * @example
 * errorBodySchema.parse({ errorCode: "NO_SWAP_ROUTES_FOUND", message: "No routes found" });
 */
export const errorBodySchema = wireObject({
  message: z.string().optional(),
  errorCode: errorCodeSchema.optional(),
  code: z.string().optional(),
  error: z.string().optional(),
  errorData: z.unknown().optional(),
  requestId: z.string().optional(),
  approxSimulatedBlock: z.number().nullish(),
  failedCallData: wireObject({
    from: z.string().optional(),
    to: z.string().optional(),
    data: z.string().optional(),
    value: z.string().optional(),
  }).nullish(),
});

/** Body of an error answer. */
export type ErrorBody = z.output<typeof errorBodySchema>;
