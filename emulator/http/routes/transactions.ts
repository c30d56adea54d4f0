import { Hono, type Context as HonoContext } from "hono";
import {
  indexTransactionRequestSchema,
  singleTransactionRequestSchema,
} from "../../../src/schema/transactions.ts";
import { findRequest } from "../../store/findRequest.ts";
import type { Deps } from "../Deps.ts";
import { InvalidRequestError, readJson } from "../readJson.ts";

/**
 * `POST /transactions/index` and `/transactions/single`: a client's hints that it has sent a transaction. They only make
 * the solver look sooner; it finds everything without them. Errors have a sentence and no code.
 */
export function transactionsRoute({ context, solver }: Deps): Hono {
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
  return new Hono()
    .post("/transactions/index", async (http) => {
      const { chainId, requestId } = await readJson(http, indexTransactionRequestSchema);
      return lookNow(http, chainId, requestId);
    })
    .post("/transactions/single", async (http) => {
      const { chainId, requestId, tx } = await readJson(http, singleTransactionRequestSchema);
      assertJsonObject(tx);
      return lookNow(http, chainId, requestId);
    });
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
