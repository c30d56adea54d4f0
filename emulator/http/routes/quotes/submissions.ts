import type { MiddlewareHandler } from "hono";
import {
  type ExecuteErrorBody,
  type ExecuteResponse,
  executeErrorSchema,
  executeRequestSchema,
  executeResponseSchema,
} from "../../../../src/schema/quote/executeCalls.ts";
import { fastFillRequestSchema } from "../../../../src/schema/quote/fastFill.ts";
import { permitRequestSchema, signatureQuerySchema } from "../../../../src/schema/quote/submission.ts";
import { type Submission, submissionSchema } from "../../../../src/schema/quote/submissionResponse.ts";
import { type Message, messageSchema } from "../../../../src/schema/request/transactions.ts";
import { messageErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { acceptClaim } from "../../../solver/acceptClaim.ts";
import { acceptFastFill } from "../../../solver/acceptFastFill.ts";
import { acceptPermit } from "../../../solver/relayed/acceptPermit.ts";
import { acceptRawCalls } from "../../../solver/relayed/acceptRawCalls.ts";
import { presentedKey, requireKey } from "../../middleware/keyChecks.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

/** `POST /execute`: submits calls of a user's account. */
export function executeRoutes({ context, solver }: Deps): readonly Route[] {
  const needsKey = requireKey(context.apiKeys);
  return [
    defineRoute({
      endpoint: "POST /execute",
      operationId: "executeCalls",
      tag: "Execution",
      summary: "Executes calls that the user signed, without the user's gas",
      description:
        "The service sends the calls to an account that delegates to a batch executor (EIP-7702), and pays for the gas. With a `requestId` they pay for that quote; without one they are a request of their own. Idempotent: the same body again has the same answer and moves nothing.",
      apiKey: "required",
      before: [(http, next) => (context.control.config.get().lenient ? next() : needsKey(http, next))],
      body: executeRequestSchema,
      answers: {
        200: { body: executeResponseSchema, description: "The calls are accepted" },
        400: {
          body: executeErrorSchema,
          description:
            "Not signed by the account, used before, not as quoted, or reverting; `details` locates a revert",
        },
        401: { body: executeErrorSchema, description: "The key is missing or unknown" },
        500: { body: executeErrorSchema, description: "The calls were not accepted" },
      },
      handle: async ({ body, http }) => {
        const requestId = await acceptRawCalls(body, context, presentedKey(http, context.apiKeys)?.id);
        solver.wake();
        return http.json({ message: "Transaction submitted", requestId } satisfies ExecuteResponse);
      },
    }),
  ];
}

/** Names the sentence of every other error of this endpoint `error`, as its clients expect; service facts, "Endpoints". */
export function executeErrors(): MiddlewareHandler {
  return async (http, next) => {
    await next();
    if (http.res.ok || !http.res.headers.get("content-type")?.startsWith("application/json")) return;
    const body = (await http.res.clone().json()) as Partial<ExecuteErrorBody>;
    if (body.error !== undefined || body.message === undefined) return;
    const { headers, status } = http.res;
    http.res = new Response(JSON.stringify({ error: body.message, ...body }), { headers, status });
  };
}

/**
 * `POST /execute/permits`: submits the signature of a quote with `usePermit`. Errors have a message and no code. `steps` is
 * omitted without further steps, because clients take an empty list as the end.
 */
export function permitsRoutes({ context, solver }: Deps): readonly Route[] {
  return [
    defineRoute({
      endpoint: "POST /execute/permits",
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
        const isClaim = body.kind === "claim";
        if (isClaim) await acceptClaim(body.requestId, signature, context);
        const steps = isClaim ? [] : await acceptPermit(body, signature, context);
        solver.wake();
        const answer: Submission = { message: "Success", ...(steps.length > 0 && { steps: [...steps] }) };
        return http.json(answer);
      },
    }),
  ];
}

const refusal = (description: string) => ({ body: messageErrorSchema, description });

/** `POST /fast-fill`: the solver fills a request before it has found the deposit. Errors have a message and no code. */
export function fastFillRoutes({ context, solver }: Deps): readonly Route[] {
  return [
    defineRoute({
      endpoint: "POST /fast-fill",
      operationId: "fastFill",
      tag: "Execution",
      summary: "Fills a request before its deposit is found",
      description:
        "The solver advances the fill within its limits for a request and an API key. The deposit pays the advance back: it is not filled a second time.",
      apiKey: "required",
      before: [requireKey(context.apiKeys)],
      body: fastFillRequestSchema,
      answers: {
        200: { body: messageSchema, description: "The fill is due" },
        400: refusal("A request on one chain, an expired quote, or a fill above a limit"),
        403: refusal("The request belongs to another API key, or the key has no app balance"),
        404: refusal("There is no such request"),
        409: refusal("The request is paid, filled or fast-filled already"),
      },
      handle: async ({ body, http }) => {
        const apiKey = presentedKey(http, context.apiKeys);
        if (apiKey === undefined) throw new Error("the request passed without its key");
        await acceptFastFill(body, apiKey.id, context);
        solver.wake();
        return http.json({ message: "Request successfully queued for fast fill." } satisfies Message);
      },
    }),
  ];
}
