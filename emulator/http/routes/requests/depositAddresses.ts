import {
  depositAddressQuerySchema,
  depositAddressRecordSchema,
  reindexRequestSchema,
  reindexResponseSchema,
} from "../../../../src/schema/request/depositAddresses.ts";
import { messageErrorSchema, quoteErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { depositFactoryAddress } from "../../../chains/accounts.ts";
import { accountText, textOrNull } from "../../../chains/accountText.ts";
import { hasCode } from "../../../chains/rpc.ts";
import { isSvmChain } from "../../../context/places.ts";
import { findCurrency } from "../../../currencies/currencyId.ts";
import { findDepositAddress } from "../../../requests/depositAddresses.ts";
import { isoTime } from "../../../requests/record/requestRecordV3.ts";
import { assignPayments } from "../../../solver/addresses/assignPayments.ts";
import {
  claimReindex,
  reindexAddress,
  retryAtOnce,
  searchedBalances,
} from "../../../solver/addresses/reindexAddress.ts";
import { scanChain } from "../../../solver/ledgers/evm/scanChain.ts";
import { svmBalances } from "../../../solver/ledgers/svm/svmBalances.ts";
import { searchSvm } from "../../../solver/ledgers/svm/svmLedger.ts";
import type { DepositAddressRow } from "../../../store/tables.ts";
import { InvalidRequestError } from "../../body/readBody.ts";
import { presentedKey } from "../../middleware/keyChecks.ts";
import { type Deps, defineRoute, NotFoundError, notFound, type Route } from "../../route/Route.ts";

/** `GET /deposit-addresses/v1` and `POST /transactions/deposit-address/reindex`. */
export function depositAddressRoutes({ context, solver }: Deps): readonly Route[] {
  const { accounts, apiKeys, chains, store } = context;
  const refused = (description: string) => ({ body: messageErrorSchema, description });
  return [
    defineRoute({
      endpoint: "GET /deposit-addresses/v1",
      operationId: "getDepositAddress",
      tag: "Requests",
      summary: "The deposit address of a request",
      query: depositAddressQuerySchema,
      answers: {
        200: { body: depositAddressRecordSchema, description: "The address" },
        400: {
          body: quoteErrorSchema,
          description: "Not exactly one of `address` and `requestId` is given",
          errorCodes: ["INVALID_REQUEST"],
        },
        404: notFound("There is no such address"),
      },
      handle: async ({ http, query: { address, requestId } }) => {
        if ((address === undefined) === (requestId === undefined)) {
          throw new InvalidRequestError("Exactly one of `address` and `requestId` is required");
        }
        const found =
          address === undefined
            ? await store
                .selectFrom("deposit_addresses")
                .selectAll()
                .where("request_id", "=", (requestId ?? "").toLowerCase())
                .executeTakeFirst()
            : await findDepositAddress(store, address);
        if (found === undefined) throw new NotFoundError("Deposit address not found");
        return http.json(recordOf(found, await currencyOf(found)));
      },
    }),
    defineRoute({
      endpoint: "POST /transactions/deposit-address/reindex",
      operationId: "reindexDepositAddress",
      tag: "Execution",
      summary: "Looks for money at a deposit address again",
      body: reindexRequestSchema,
      answers: {
        200: { body: reindexResponseSchema, description: "The currencies whose money is swept now" },
        400: refused("A chain or currency is not supported, or the address is of another chain"),
        403: refused("The address belongs to another API key"),
        404: refused("There is no such address"),
        429: refused("The last search is too recent"),
        503: refused("The chain has no deposit addresses"),
      },
      handle: async ({ body, http }) => {
        const chain = [...chains.values(), context.svm].find(
          (each) => each?.definition.id === Number(body.targetChainId ?? body.chainId),
        );
        if (chain === undefined) return http.json({ message: "The chain is not supported" }, 400);
        const currency = body.currency === undefined ? undefined : findCurrency(chain, body.currency);
        if (body.currency !== undefined && currency === undefined) {
          return http.json({ message: "The currency is not supported" }, 400);
        }
        const found = await findDepositAddress(store, body.depositAddress);
        if (found === undefined) return http.json({ message: "Deposit address not found" }, 404);
        if (found.chain_id !== Number(body.chainId)) {
          return http.json({ message: `The deposit address is of chain ${found.chain_id}` }, 400);
        }
        if (isSvmChain(chain) !== (found.chain_id === context.svm?.definition.id)) {
          return http.json({ message: `${chain.definition.name} has other addresses` }, 400);
        }
        const key = presentedKey(http, apiKeys);
        const owner = await ownerOf(found);
        if (key !== undefined && owner !== null && owner !== key.id) {
          return http.json({ message: "The deposit address belongs to another API key" }, 403);
        }
        if (!isSvmChain(chain) && !(await hasCode(chain, depositFactoryAddress(accounts)))) {
          return http.json({ message: `${chain.definition.name} has no deposit addresses` }, 503);
        }
        if (!(await claimReindex(found.address, context))) {
          return http.json({ message: "The last search of the address is too recent" }, 429);
        }
        const currencies = currency === undefined ? chain.currencies : [currency];
        await (isSvmChain(chain) ? searchSvm(chain, context) : scanChain(chain, context));
        await retryAtOnce(found.address, chain, context);
        // A payment that was found just now is judged first: a reindex is for those that stay.
        await assignPayments(chain, context);
        const balances = isSvmChain(chain)
          ? await svmBalances(found.address, chain, context)
          : await searchedBalances(found.address, chain, context);
        const result = await reindexAddress(found.address, chain, currencies, balances, context);
        solver.wake();
        const { length } = result.triggeredCurrencies;
        return http.json({ message: `Triggered ${length} of ${currencies.length} currencies`, ...result });
      },
    }),
  ];

  async function ownerOf({ request_id }: DepositAddressRow): Promise<string | null> {
    const request = await store
      .selectFrom("requests")
      .select("api_key_id")
      .where("id", "=", request_id)
      .executeTakeFirstOrThrow();
    return request.api_key_id;
  }

  async function currencyOf({ request_id }: DepositAddressRow): Promise<string> {
    const request = await store
      .selectFrom("requests")
      .select("currency_in")
      .where("id", "=", request_id)
      .executeTakeFirstOrThrow();
    return request.currency_in;
  }
}

function recordOf(row: DepositAddressRow, currency: string) {
  return {
    chainId: row.chain_id,
    createdAt: isoTime(row.created_at),
    currency: accountText(currency),
    depositAddress: accountText(row.address),
    refundTo: textOrNull(row.refund_to),
    requestId: row.request_id,
    type: row.type,
  };
}
