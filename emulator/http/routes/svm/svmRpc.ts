import * as z from "zod";
import { SvmTransactionInvalidError } from "../../../chains/svm/decodeSvmTransaction.ts";
import { blockhashSlots } from "../../../chains/svm/openSvmLedger.ts";
import { svmRpcPath } from "../../../chains/svm/SvmChain.ts";
import { SvmTransactionRefusedError } from "../../../chains/svm/SvmOutcome.ts";
import type { SvmParts } from "../../../chains/svm/svmParts.ts";
import type { Store } from "../../../store/tables.ts";
import { defineRoute, notFound, type Route } from "../../route/Route.ts";
import { accountMethods } from "./accountMethods.ts";
import {
  atSlot,
  errorJson,
  InvalidSvmParameterError,
  optionsSchema,
  readParams,
  type SvmMethods,
} from "./SvmMethod.ts";
import { transactionMethods } from "./transactionMethods.ts";

const requestSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
});

const responseSchema = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]),
  jsonrpc: z.literal("2.0"),
  /** Result of the method; absent with an error. */
  result: z.unknown().optional(),
  /** Error of JSON-RPC; absent with a result. */
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});

/** Codes of JSON-RPC 2.0, and the SVM chain's own for a failed simulation. */
const [methodNotFound, invalidParameters, preflightFailure] = [-32_601, -32_602, -32_002];

/** `POST /svm`: the JSON-RPC of the SVM chain, as wallets and `@solana/kit` call it. Only where the chain runs. */
export function svmRpcRoutes({ store, svm }: { readonly store: Store; readonly svm: SvmParts | undefined }) {
  if (svm === undefined) return [];
  const methods: SvmMethods = {
    ...accountMethods(svm),
    ...chainMethods(svm),
    ...transactionMethods(svm, store),
  };
  const route: Route = defineRoute({
    endpoint: `POST ${svmRpcPath}`,
    operationId: "callSvmRpc",
    tag: "Chains and currencies",
    summary: "The JSON-RPC of the SVM chain",
    body: requestSchema,
    answers: {
      200: { body: responseSchema, description: "The result, or an error of JSON-RPC" },
      404: notFound("The emulator runs without an SVM chain"),
    },
    handle: async ({ body: { id = null, method, params = [] }, http }) => {
      const answer = (rest: object) => http.json({ id, jsonrpc: "2.0", ...rest });
      const call = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (call === undefined) {
        return answer({ error: { code: methodNotFound, message: `Method ${method} is not supported` } });
      }
      try {
        return answer({ result: await call(params) });
      } catch (error) {
        return answer({ error: rpcErrorOf(error) });
      }
    },
  });
  return [route];
}

function rpcErrorOf(error: unknown) {
  if (error instanceof InvalidSvmParameterError || error instanceof SvmTransactionInvalidError) {
    return { code: invalidParameters, message: error.message };
  }
  if (error instanceof SvmTransactionRefusedError) {
    const { logs, units } = error;
    const data = {
      accounts: null,
      err: errorJson(error.error),
      logs,
      returnData: null,
      unitsConsumed: Number(units),
    };
    return { code: preflightFailure, data, message: `Transaction simulation failed: ${error.error}` };
  }
  throw error;
}

const sizeParams = z.tuple([z.int().min(0), optionsSchema]).or(z.tuple([z.int().min(0)]));

function chainMethods({ ledger }: Pick<SvmParts, "ledger">): SvmMethods {
  const slot = async () => (await ledger.head()).slot;
  return {
    getBlockHeight: slot,
    getHealth: async () => "ok",
    getLatestBlockhash: async () => {
      const head = await ledger.head();
      const { blockhash } = head;
      return atSlot(head.slot, { blockhash, lastValidBlockHeight: head.slot + blockhashSlots });
    },
    getMinimumBalanceForRentExemption: async (params) => {
      const [bytes] = readParams(sizeParams, params);
      return ledger.read((machine) => Number(machine.rentOf(bytes)));
    },
    getRecentPrioritizationFees: async () => [],
    getSlot: slot,
    getVersion: async () => ({ "feature-set": 0, "solana-core": "2.0.0" }),
  };
}
