import type { MiddlewareHandler } from "hono";
import {
  type ExecuteErrorBody,
  type ExecuteResponse,
  executeErrorSchema,
  executeRequestSchema,
  executeResponseSchema,
} from "../../../../src/schema/quote/executeCalls.ts";
import { ExecuteRefusedError } from "../../../errors/ExecuteRefusedError.ts";
import { acceptRawCalls } from "../../../solver/relayed/acceptRawCalls.ts";
import { presentedKey } from "../../middleware/keyChecks.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

/**
 * `POST /execute`: submits calls of a user's account. The key is optional, because the official client sends none to a local
 * server; see `docs/assumptions.md`.
 */
export function executeRoutes({ context, solver }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "post",
      path: "/execute",
      operationId: "executeCalls",
      tag: "Execution",
      summary: "Executes calls that the user signed, without the user's gas",
      description:
        "The service sends the calls to an account that delegates to a batch executor (EIP-7702), and pays for the gas. With a `requestId` they pay for that quote; without one they are a request of their own. Idempotent: the same body again has the same answer and moves nothing.",
      body: executeRequestSchema,
      answers: {
        200: { body: executeResponseSchema, description: "The calls are accepted" },
        400: {
          body: executeErrorSchema,
          description:
            "Not signed by the account, used before, not as quoted, or reverting; `details` locates a revert",
        },
        401: { body: executeErrorSchema, description: "The key is unknown" },
        500: { body: executeErrorSchema, description: "The calls were not accepted" },
      },
      handle: async ({ body, http }) => {
        try {
          const requestId = await acceptRawCalls(body, context, presentedKey(http, context.apiKeys)?.id);
          solver.poke();
          const answer: ExecuteResponse = { message: "Transaction submitted", requestId };
          return http.json(answer);
        } catch (error) {
          if (error instanceof ExecuteRefusedError) return http.json(error.body, 400);
          throw error;
        }
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
