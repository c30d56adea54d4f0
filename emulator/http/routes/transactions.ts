import type { Context as HonoContext } from "hono";
import { messageErrorSchema } from "../../../src/schema/errorBody.ts";
import {
  indexTransactionRequestSchema,
  messageSchema,
  singleTransactionRequestSchema,
} from "../../../src/schema/transactions.ts";
import { findRequest } from "../../store/findRequest.ts";
import type { Deps } from "../Deps.ts";
import { defineRoute, type Route } from "../openapi/Route.ts";
import { InvalidRequestError } from "../readJson.ts";

/**
 * `POST /transactions/index` and `/transactions/single`: a client's hints that it has sent a transaction. They only make
 * the solver look sooner; it finds everything without them. Errors have a sentence and no code.
 */
export function transactionsRoutes({ context, solver }: Deps): readonly Route[] {
  const lookNow = async (http: HonoContext, chainId: number | string, requestId: string | undefined) => {
    if (!context.chains.has(Number(chainId))) {
      return http.json({ message: `Chain ${chainId} is not supported` }, 400);
    }
    if (requestId !== undefined && (await findRequest(context.store, requestId)) === undefined) {
      return http.json({ message: "Request not found" }, 404);
    }
    solver.poke();
    return http.json({ message: "Success" });
  };
  const common = {
    method: "post",
    tag: "Execution",
    answers: {
      200: { body: messageSchema, description: "The solver looks" },
      400: { body: messageErrorSchema, description: "The chain is not supported" },
      404: { body: messageErrorSchema, description: "There is no such request" },
    },
  } as const;
  return [
    defineRoute({
      ...common,
      path: "/transactions/index",
      operationId: "indexTransaction",
      summary: "Has the solver look at a transaction now",
      body: indexTransactionRequestSchema,
      handle: ({ body: { chainId, requestId }, http }) => lookNow(http, chainId, requestId),
    }),
    defineRoute({
      ...common,
      path: "/transactions/single",
      operationId: "indexSingleTransaction",
      summary: "The same for a transaction of a same-chain request",
      body: singleTransactionRequestSchema,
      handle: ({ body: { chainId, requestId, tx }, http }) => {
        assertJsonObject(tx);
        return lookNow(http, chainId, requestId);
      },
    }),
  ];
}

function assertJsonObject(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InvalidRequestError("Invalid request: `tx`: not JSON", { cause });
  }
  if (typeof value !== "object" || value === null) {
    throw new InvalidRequestError("Invalid request: `tx`: not a transaction");
  }
}
