import * as z from "zod/mini";
import { evmAddressSchema, hexSchema } from "../wire/hex.ts";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireMap, wireObject } from "../wire/wireObject.ts";
import { authorizationListSchema, gasOverheadSchema, quoteCallSchema } from "./quoteRequest.ts";

/** Body of `POST /execute`: a call that the service sends and pays for, with an API key. */
export type ExecuteRequest = z.output<typeof executeRequestSchema>;
export const executeRequestSchema = wireObject({
  executionKind: z.literal("rawCalls"),
  data: wireObject({
    chainId: chainIdSchema,
    to: evmAddressSchema,
    data: hexSchema,
    /** Wei. */
    value: uintStringSchema,
    /** EIP-7702 authorizations; never an empty list. */
    authorizationList: z.optional(authorizationListSchema.check(z.minLength(1))),
  }),
  executionOptions: wireObject({
    referrer: z.optional(z.string().check(z.maxLength(1024))),
    subsidizeFees: z.boolean(),
    destinationChainExecutionData: z.optional(
      wireObject({
        calls: z.array(quoteCallSchema).check(z.maxLength(256)),
        authorizationList: z.optional(authorizationListSchema),
      }),
    ),
  }),
  originGasOverhead: gasOverheadSchema,
  /** The quote to execute. */
  requestId: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
});

/** Response of `POST /execute`. */
export type ExecuteResponse = z.output<typeof executeResponseSchema>;
export const executeResponseSchema = wireObject({
  message: z.optional(z.string()),
  requestId: z.string().check(z.minLength(1)),
});

const frame = wireObject({
  type: z.string(),
  address: z.optional(z.string()),
  contract: z.optional(z.string()),
  function: z.optional(z.string()),
  selector: z.optional(z.string()),
  error: z.optional(z.string()),
  revertReason: z.optional(z.string()),
  gasUsed: z.optional(z.string()),
});

/** Kinds of reverts. */
const revertTypes = ["errorString", "panic", "customError", "unknownCustomError", "empty"] as const;

/** Error body of `POST /execute`. The message is in `error`; a reverted call adds details. */
export type ExecuteErrorBody = z.output<typeof executeErrorSchema>;
export const executeErrorSchema = wireObject({
  error: z.string(),
  message: z.optional(z.string()),
  requestId: z.optional(z.string()),
  details: z.optional(
    wireObject({
      topLevel: frame,
      innermost: frame,
      /** From the outermost call to the innermost. */
      path: z.array(frame),
      revert: wireObject({
        type: openEnum(revertTypes),
        label: z.string(),
        message: z.string(),
        selector: z.optional(z.string()),
        name: z.optional(z.string()),
        args: z.optional(wireMap(z.string())),
        rawArgsHex: z.optional(z.string()),
      }),
    }),
  ),
});
