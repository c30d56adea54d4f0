import { messageErrorSchema } from "../../../../src/schema/errorBody.ts";
import {
  permitRequestSchema,
  type Submission,
  signatureQuerySchema,
  submissionSchema,
} from "../../../../src/schema/submission.ts";
import { PermitRefusedError } from "../../../errors/PermitRefusedError.ts";
import { acceptPermit } from "../../../solver/permits/acceptPermit.ts";
import type { Deps } from "../../route/Deps.ts";
import { defineRoute, type Route } from "../../route/Route.ts";

/**
 * `POST /execute/permits`: the signature of a quote with `usePermit`. Its refusals have a sentence and no code. An answer has
 * no `steps` where nothing is to be added: clients take an empty list for the end.
 */
export function permitsRoutes({ context, solver }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "post",
      path: "/execute/permits",
      operationId: "executePermits",
      tag: "Execution",
      summary: "Hands in the signature that pays for a request",
      description:
        "The service sends the deposit. A permit of ERC-2612 is good in its owner's own transaction alone: that comes back as a step to be executed. The same signature again has the same answer and moves nothing.",
      query: signatureQuerySchema,
      body: permitRequestSchema,
      notes: { signature: "The user's signature of the step's typed data." },
      answers: {
        200: { body: submissionSchema, description: "The signature is taken" },
        400: {
          body: messageErrorSchema,
          description: "It is not the user's, not what was quoted, too late, or another one than it has",
        },
      },
      handle: async ({ body, http, query: { signature } }) => {
        try {
          const steps = await acceptPermit(body, signature, context);
          solver.poke();
          const answer: Submission = { message: "Success", ...(steps.length > 0 && { steps: [...steps] }) };
          return http.json(answer);
        } catch (error) {
          if (error instanceof PermitRefusedError) return http.json({ message: error.message }, 400);
          throw error;
        }
      },
    }),
  ];
}
