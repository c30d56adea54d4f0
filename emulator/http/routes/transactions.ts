import { Hono } from "hono";
import * as z from "zod";
import { bytes32Schema } from "../../../src/schema/hex.ts";
import type { Deps } from "../Deps.ts";
import { errorAnswer } from "../errorBody.ts";
import { readJson } from "../readJson.ts";

/** The types say the chain id is a string, the documents send a number: both are taken. */
const bodySchema = z.looseObject({
  chainId: z.union([z.number().int().positive(), z.string().regex(/^\d{1,15}$/)]).transform(Number),
  requestId: z.string().optional(),
  txHash: bytes32Schema,
});

/** `POST /transactions/index`: a client's hint that a deposit was sent. It only makes the solver look sooner. */
export function transactionsRoute({ context, solver }: Deps): Hono {
  return new Hono().post("/transactions/index", async (http) => {
    const { chainId } = await readJson(http, bodySchema);
    if (!context.chains.has(chainId)) {
      return errorAnswer(http, 400, `Chain ${chainId} is not supported`, { errorCode: "UNSUPPORTED_CHAIN" });
    }
    solver.poke();
    return http.json({ message: "Success" });
  });
}
