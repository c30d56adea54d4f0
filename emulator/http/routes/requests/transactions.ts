import type { Context as HonoContext } from "hono";
import * as z from "zod";
import {
  indexTransactionRequestSchema,
  messageSchema,
  singleTransactionRequestSchema,
} from "../../../../src/schema/request/transactions.ts";
import { messageErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { bytes32Schema } from "../../../../src/schema/wire/hex.ts";
import { findSvmEntry } from "../../../chains/svm/svmHistory.ts";
import type { Context } from "../../../context/Context.ts";
import { isEvmChain, isSvmChain, type Place, placesOf } from "../../../context/places.ts";
import { findRequest } from "../../../requests/applyTrigger.ts";
import { indexTransaction } from "../../../solver/sameChain/sameChainTransactions.ts";
import { InvalidRequestError, readWith } from "../../body/readBody.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

type Hint = {
  readonly chainId: number | string;
  /** Whether the transaction is named for its same-chain request, for good. */
  readonly isSingle?: boolean;
  readonly requestId: string | undefined;
  readonly txHash: string;
};

/**
 * `POST /transactions/index` and `/transactions/single`: hints of a client that it sent a transaction. The first one only starts
 * the solver's next round sooner. Same-chain sends, wraps and unwraps are found by the second one alone. Errors have a message
 * and no code (service facts, "Endpoints").
 */
export function transactionsRoutes({ context, solver }: Deps): readonly Route[] {
  const lookNow = async (http: HonoContext, { chainId, isSingle, requestId, txHash }: Hint) => {
    const place = placesOf(context).get(Number(chainId));
    if (place === undefined) return http.json({ message: `Chain ${chainId} is not supported` }, 400);
    const hash = (isSvmChain(place) ? signatureSchema : bytes32Schema).safeParse(txHash);
    if (!hash.success) return http.json({ message: "`txHash` is not a transaction hash" }, 400);
    if (requestId !== undefined && (await findRequest(context.store, requestId)) === undefined) {
      return http.json({ message: "Request not found" }, 404);
    }
    if (!(await isKnown(place, hash.data, context))) {
      return http.json({ message: `Transaction not found on chain ${chainId}` }, 404);
    }
    if (isSingle === true && requestId !== undefined && isEvmChain(place)) {
      const named = {
        chain_id: place.definition.id,
        hash: txHash.toLowerCase(),
        request_id: requestId.toLowerCase(),
      };
      await indexTransaction(context.store, named);
    }
    solver.wake();
    return http.json({ message: "Success" });
  };
  const common = {
    tag: "Execution",
    answers: {
      200: { body: messageSchema, description: "The solver searches now" },
      400: { body: messageErrorSchema, description: "The chain is not supported, or the hash is invalid" },
      404: { body: messageErrorSchema, description: "There is no such request, or no such transaction" },
    },
  } as const;
  return [
    defineRoute({
      ...common,
      endpoint: "POST /transactions/index",
      operationId: "indexTransaction",
      summary: "Makes the solver search for a transaction now",
      body: indexTransactionRequestSchema,
      handle: ({ body: { chainId, requestId, txHash }, http }) =>
        lookNow(http, { chainId, requestId, txHash }),
    }),
    defineRoute({
      ...common,
      endpoint: "POST /transactions/single",
      operationId: "indexSingleTransaction",
      summary:
        "Names the transaction of a same-chain send, wrap or unwrap, which is not searched for otherwise",
      body: singleTransactionRequestSchema,
      handle: ({ body: { chainId, requestId, tx }, http }) =>
        lookNow(http, { chainId, isSingle: true, requestId, txHash: hashOf(tx) }),
    }),
  ];
}

/** A signature of the SVM chain: 64 bytes in base58. */
const signatureSchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);

/** Whether a chain has a transaction, be it pending. */
async function isKnown(place: Place, hash: string, { store }: Pick<Context, "store">): Promise<boolean> {
  if (isEvmChain(place)) return (await place.rpc("eth_getTransactionByHash", [hash])) !== null;
  if (isSvmChain(place)) return (await findSvmEntry(store, hash)) !== undefined;
  const action = await store
    .selectFrom("exchange_actions")
    .select("id")
    .where("hash", "=", hash.toLowerCase())
    .executeTakeFirst();
  return action !== undefined;
}

const txSchema = z.object({ txHash: z.string() });

/** Parses the transaction hash of a step from the hint's JSON. */
function hashOf(tx: string): string {
  let value: unknown;
  try {
    value = JSON.parse(tx);
  } catch (cause) {
    throw new InvalidRequestError("Invalid request: `tx`: not JSON", { cause });
  }
  return readWith(value, txSchema, "tx").txHash;
}
