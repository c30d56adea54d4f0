import type { Address } from "viem";
import * as z from "zod";
import { requestsV3QuerySchema } from "../../../../src/schema/request/query/requestsV3Query.ts";
import { evmAddressSchema } from "../../../../src/schema/wire/hex.ts";
import { decodeSvmAddress, isSvmAddress } from "../../../../src/svm/address.ts";
import { accountText } from "../../../chains/accountText.ts";
import type { Chain } from "../../../chains/Chain.ts";
import { hasCode } from "../../../chains/rpc.ts";
import type { Context } from "../../../context/Context.ts";
import {
  balanceAt,
  isEvmChain,
  isSvmChain,
  type Place,
  placesOf,
  vmTypeOf,
} from "../../../context/places.ts";
import { explorerPath, rpcUrlOf } from "../../../currencies/currencyId.ts";
import type { RequestRow, Store } from "../../../store/tables.ts";
import { assertFound, type Deps, defineRoute, notFound, type Route } from "../../route/Route.ts";
import { readSearchV3 } from "../requests/readSearch.ts";
import { pageOf } from "../requests/requests.ts";
import {
  balanceSchema,
  blocksOf,
  blocksSchema,
  findTransaction,
  heightOf,
  requestsSchema,
  shownCurrency,
  transactionSchema,
} from "./ledgers.ts";

const chainSchema = z.strictObject({
  blocks: blocksSchema,
  contracts: z.record(z.string(), z.string()),
  currencies: z.array(z.strictObject({ ...balanceSchema, name: z.string() })),
  displayName: z.string(),
  /** The newest block or slot, or the number of actions of the exchange. */
  height: z.int(),
  id: z.int(),
  name: z.string(),
  /** Pools by address. */
  pools: z.array(z.strictObject({ address: z.string(), tokens: z.array(z.string()) })),
  rpcUrl: z.string(),
  vmType: z.enum(["evm", "hypevm", "svm"]),
});

const accountSchema = z.strictObject({
  address: z.string(),
  balances: z.array(z.strictObject({ ...balanceSchema, amount: z.string() })),
  isContract: z.boolean(),
  requests: requestsSchema,
});

const pageQuery = z.object({
  before: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
type PageQuery = z.output<typeof pageQuery>;

const tag = "Chains and currencies";
const missing = notFound("There is no such chain, transaction or account");
const toConsole = { description: "For browsers: leads to the view of the console" };

/**
 * Blocks, transactions and accounts of every kind of chain, as JSON. `explorerUrl` of `/chains` points here: browsers are led
 * to the console.
 */
export function explorerRoutes({ context }: Deps): readonly Route[] {
  const { store } = context;
  const placeOf = (id: string) => assertFound(placesOf(context).get(Number(id)), `There is no chain ${id}`);
  const routes = [
    defineRoute({
      endpoint: `GET ${explorerPath}/:chainId`,
      operationId: "getExplorer",
      tag,
      summary: "A chain with its newest blocks",
      params: z.object({ chainId: z.string() }),
      query: pageQuery,
      notes: { before: "Number of the block before which the page ends." },
      answers: { 200: { body: chainSchema, description: "The chain" }, 302: toConsole, 404: missing },
      handle: async ({ http, params: { chainId }, query }) =>
        http.json(await showChain(placeOf(chainId), query, store)),
    }),
    defineRoute({
      endpoint: `GET ${explorerPath}/:chainId/tx/:hash`,
      operationId: "getExplorerTransaction",
      tag,
      summary: "A transaction with its events, the calls inside it and changed balances",
      params: z.object({ chainId: z.string(), hash: z.string() }),
      answers: {
        200: { body: transactionSchema, description: "The transaction" },
        302: toConsole,
        404: missing,
      },
      handle: async ({ http, params: { chainId, hash } }) => {
        const found = await findTransaction(placeOf(chainId), hash, store);
        const shown = assertFound(found, `The chain has no transaction ${hash}`);
        return http.json({ ...shown, requests: await requestsOf(store, hash) });
      },
    }),
    ...(["address", "token"] as const).map((kind) =>
      defineRoute({
        endpoint: `GET ${explorerPath}/:chainId/${kind}/:address`,
        operationId: kind === "address" ? "getExplorerAddress" : "getExplorerToken",
        tag,
        summary: kind === "address" ? "An account with balances and requests" : "The account of a token",
        params: z.object({ address: z.string(), chainId: z.string() }),
        answers: { 200: { body: accountSchema, description: "The account" }, 302: toConsole, 404: missing },
        handle: async ({ http, params: { address, chainId } }) => {
          const place = placeOf(chainId);
          const account = assertFound(accountOn(place, address), `${address} is no account of the chain`);
          return http.json(await showAccount(place, account, context));
        },
      }),
    ),
  ];
  return routes.map((route) => ({
    ...route,
    before: [
      async (http, next) => {
        if (!http.req.header("accept")?.includes("text/html")) return next();
        return http.redirect(`/console#/chains${http.req.path.slice(explorerPath.length)}`);
      },
    ],
  }));
}

async function showChain(
  place: Place,
  query: PageQuery,
  store: Store,
): Promise<z.output<typeof chainSchema>> {
  const { displayName, id, name } = place.definition;
  const height = await heightOf(place, store);
  const page = { ...query, before: Math.min(query.before ?? height + 1, height + 1) };
  return {
    ...{ displayName, height, id, name },
    blocks: await blocksOf(place, page, store),
    contracts: isEvmChain(place) ? contractsOf(place) : {},
    currencies: place.currencies.map((currency) => ({
      ...shownCurrency(place, currency.address),
      name: currency.name,
    })),
    pools: isEvmChain(place)
      ? place.swap.pairs.map(({ address, tokens }) => ({ address, tokens: [...tokens] }))
      : [],
    rpcUrl: rpcUrlOf(place),
    vmType: vmTypeOf(place),
  };
}

/** Contract addresses by name, as nested in the start-up document, such as `v3.erc20Router`. */
function contractsOf({ contracts: { v3, ...flat } }: Chain): Record<string, string> {
  const inner = Object.entries(v3).map(([name, address]) => [`v3.${name}`, address] as const);
  return Object.fromEntries([...Object.entries(flat), ...inner]);
}

async function showAccount(
  place: Place,
  address: Address,
  { store }: Pick<Context, "store">,
): Promise<z.output<typeof accountSchema>> {
  const balances = place.currencies.map(async ({ address: currency }) => ({
    ...shownCurrency(place, currency),
    amount: (await balanceAt(place, currency, address)).toString(),
  }));
  return {
    address: accountText(address.toLowerCase()),
    balances: await Promise.all(balances),
    isContract: isEvmChain(place) && (await hasCode(place, address)),
    requests: await requestsOf(store, accountText(address.toLowerCase())),
  };
}

/** An account in its stored form. Tokens of the SVM chain belong to their wallet, whichever account holds them. */
function accountOn(place: Place, text: string): Address | undefined {
  if (!isSvmChain(place)) return evmAddressSchema.safeParse(text).data;
  return isSvmAddress({ address: text }) ? decodeSvmAddress({ address: text }) : undefined;
}

const mostRequests = "20";

/** The newest requests of a transaction or an account. */
async function requestsOf(store: Store, term: string): Promise<Pick<RequestRow, "id" | "status">[]> {
  const query = requestsV3QuerySchema.parse({ limit: mostRequests, term });
  const { ids } = await pageOf(
    store,
    readSearchV3(query, (id) => id),
  );
  if (ids.length === 0) return [];
  const found = store.selectFrom("requests").select(["id", "status"]).where("id", "in", ids);
  return found.orderBy("created_at", "desc").orderBy("id").execute();
}
