import * as z from "zod/mini";
import { wireObject } from "../wire/wireObject.ts";
import { stepSchema } from "./step.ts";

/**
 * Response to a signature submission. Omits `steps` without appended ones: some clients take an empty list as the end
 * of the request.
 */
export type Submission = z.output<typeof submissionSchema>;
export const submissionSchema = wireObject({
  message: z.optional(z.string()),
  /** Steps to execute after those of the quote. */
  steps: z.optional(z.array(stepSchema)),
});
