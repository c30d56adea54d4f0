import { permitRequestSchema, signatureQuerySchema } from "../../../../src/schema/quote/submission.ts";
import { type Submission, submissionSchema } from "../../../../src/schema/quote/submissionResponse.ts";
import { messageErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { PermitRefusedError } from "../../../errors/PermitRefusedError.ts";
import { acceptClaim } from "../../../solver/claims/acceptClaim.ts";
import { acceptPermit } from "../../../solver/relayed/acceptPermit.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

/**
 * `POST /execute/permits`: submits the signature of a quote with `usePermit`. Errors have a message and no code. `steps` is
 * omitted without further steps, because clients take an empty list as the end.
 */
export function permitsRoutes({ context, solver }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "post",
      path: "/execute/permits",
      operationId: "executePermits",
      tag: "Execution",
      summary: "Submits the signature that pays for a request, or that claims app fees",
      description:
        "The service sends the deposit. An ERC-2612 permit works only in a transaction of its owner, which the answer returns as a step to execute. Idempotent: the same signature again has the same answer and moves nothing.",
      query: signatureQuerySchema,
      body: permitRequestSchema,
      notes: { signature: "The user's signature of the step's typed data." },
      answers: {
        200: { body: submissionSchema, description: "The signature is accepted" },
        400: {
          body: messageErrorSchema,
          description:
            "Not signed by the user, not as quoted, expired, or different from the signature already submitted",
        },
      },
      handle: async ({ body, http, query: { signature } }) => {
        try {
          const isClaim = body.kind === "claim";
          if (isClaim) await acceptClaim(body.requestId, signature, context);
          const steps = isClaim ? [] : await acceptPermit(body, signature, context);
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
