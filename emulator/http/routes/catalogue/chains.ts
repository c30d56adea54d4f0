import * as z from "zod";
import { type Chain as ChainRecord, chainsResponseSchema } from "../../../../src/schema/chain/chain.ts";
import { queryList, queryText } from "../../../../src/schema/wire/queryField.ts";
import { accountText } from "../../../chains/accountText.ts";
import type { Chain, LocalCurrency } from "../../../chains/Chain.ts";
import { type SvmChain, svmRpcPath } from "../../../chains/svm/SvmChain.ts";
import type { ChainHealth } from "../../../context/ChainHealth.ts";
import { isEvmChain, isSvmChain, type Place, placesOf } from "../../../context/places.ts";
import { hiddenChains } from "../../../context/privateChains.ts";
import { currencyText } from "../../../currencies/amountObject.ts";
import { currencyIdOf } from "../../../currencies/currencyId.ts";
import { chainImageUrl, currencyImageUrl, explorerUrl } from "../../../currencies/links.ts";
import { type Exchange, exchangePath } from "../../../perps/openExchange.ts";
import { isSolverCurrency, solverCurrencies } from "../../../quote/route/planRoute.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

/** `GET /chains` (specification, "Chain record"). */
export function chainsRoutes({ context }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/chains",
      operationId: "getChains",
      tag: "Chains and currencies",
      summary: "The chains, with contracts, currencies and condition",
      query: z.object({ includeChains: z.optional(queryList(queryText(64))) }),
      notes: { includeChains: "UUIDs of private chains to show, with commas between them." },
      answers: {
        200: { body: chainsResponseSchema, description: "All chains that are not private, or named" },
      },
      handle: ({ http, query: { includeChains } }) => {
        const solver = context.accounts.solver.account.address.toLowerCase();
        const hidden = hiddenChains(context, includeChains);
        const chains = [...placesOf(context).values()].filter(
          ({ definition }) => !hidden.includes(definition.id),
        );
        return http.json({
          chains: chains.map((chain) => ({
            ...recordOf(chain, solver),
            ...context.control.health.of(chain.definition.id),
          })),
        });
      },
    }),
  ];
}

function chainRecord(chain: Chain, solver: string): Omit<ChainRecord, keyof ChainHealth> {
  const { contracts, currencies, definition } = chain;
  const [native, ...tokens] = currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  return {
    baseChainId: definition.id,
    contracts: {
      approvalProxy: contracts.approvalProxy,
      erc20Router: contracts.erc20Router,
      multicall3: contracts.multicall3,
      multicaller: contracts.multicaller,
      onlyOwnerMulticaller: contracts.onlyOwnerMulticaller,
      relayReceiver: contracts.relayReceiver,
      v3: contracts.v3,
    },
    // For the native currency, clients take the flag as support of gas top-up.
    currency: { ...chainCurrency(native), supportsBridging: true },
    depositEnabled: true,
    depositFee: 0,
    displayName: definition.displayName,
    erc20Currencies: tokens.map((token) => ({
      ...chainToken(chain, token),
      depositFee: 0,
      surgeEnabled: false,
      withdrawalFee: 0,
    })),
    explorerName: definition.displayName,
    explorerPaths: { transaction: "/tx/{TX_HASH}" },
    explorerUrl: explorerUrl(chain),
    featuredTokens: tokens.map((token) => ({
      ...chainToken(chain, token),
      metadata: { logoURI: currencyImageUrl(chain, token) },
    })),
    httpRpcUrl: chain.rpcUrl,
    iconUrl: chainImageUrl(chain),
    id: definition.id,
    logoUrl: chainImageUrl(chain),
    name: definition.name,
    protocol: { v2: { chainId: definition.name, depository: contracts.depository } },
    solverAddresses: [solver],
    solverCurrencies: solverCurrencies(chain).map(chainCurrency),
    surgeEnabled: false,
    tags: [],
    tokenSupport: "Limited",
    vmType: "evm",
    withdrawalFee: 0,
    wsRpcUrl: chain.wsRpcUrl,
  };
}

function recordOf(place: Place, solver: string): Omit<ChainRecord, keyof ChainHealth> {
  if (isEvmChain(place)) return chainRecord(place, solver);
  return isSvmChain(place) ? svmRecord(place) : exchangeRecord(place, solver);
}

/** The SVM chain has no depository either: its own solver account takes deposits. */
function svmRecord(chain: SvmChain): Omit<ChainRecord, keyof ChainHealth> {
  const { definition, siteUrl } = chain;
  const solver = accountText(chain.solver);
  const currencies = chain.currencies.map((currency) => ({
    ...chainCurrency(currency),
    address: currencyText(chain, currency),
  }));
  const [native, ...tokens] = currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  const rpc = `${siteUrl?.() ?? ""}${svmRpcPath}`;
  return {
    baseChainId: definition.id,
    currency: { ...native, supportsBridging: true },
    depositEnabled: true,
    depositFee: 0,
    displayName: definition.displayName,
    erc20Currencies: tokens.map((token) => ({ ...token, supportsBridging: true })),
    featuredTokens: tokens.map((token) => ({ ...token, supportsBridging: true })),
    httpRpcUrl: rpc,
    iconUrl: chainImageUrl(chain),
    id: definition.id,
    logoUrl: chainImageUrl(chain),
    name: definition.name,
    protocol: { v2: { chainId: definition.name, depository: solver } },
    solverAddresses: [solver],
    solverCurrencies: currencies,
    surgeEnabled: false,
    tags: [],
    tokenSupport: "Limited",
    vmType: "svm",
    withdrawalFee: 0,
    wsRpcUrl: rpc.replace(/^http/, "ws"),
  };
}

/** The exchange has no contracts: the solver's account takes deposits, and the URLs are those of its API. */
function exchangeRecord(exchange: Exchange, solver: string): Omit<ChainRecord, keyof ChainHealth> {
  const { currencies, definition, siteUrl } = exchange;
  const [perps, ...others] = currencies;
  if (perps === undefined) throw new Error("an exchange without currencies");
  const api = `${siteUrl?.() ?? ""}${exchangePath}`;
  const tokens = others.map((token) => ({ ...chainCurrency(token), supportsBridging: true }));
  return {
    baseChainId: definition.id,
    currency: { ...chainCurrency(perps), supportsBridging: true },
    depositEnabled: true,
    depositFee: 0,
    displayName: definition.displayName,
    erc20Currencies: tokens,
    explorerName: definition.displayName,
    explorerUrl: explorerUrl(exchange),
    featuredTokens: tokens,
    httpRpcUrl: api,
    iconUrl: chainImageUrl(exchange),
    id: definition.id,
    logoUrl: chainImageUrl(exchange),
    name: definition.name,
    protocol: { v2: { chainId: definition.name, depository: solver } },
    solverAddresses: [solver],
    solverCurrencies: currencies.map(chainCurrency),
    surgeEnabled: false,
    tags: [],
    tokenSupport: "Limited",
    vmType: "hypevm",
    withdrawalFee: 0,
    wsRpcUrl: api.replace(/^http/, "ws"),
  };
}

function chainCurrency({ address, decimals, name, symbol }: LocalCurrency) {
  return { address, decimals, id: currencyIdOf({ symbol }), name, symbol };
}

function chainToken(chain: Chain, token: LocalCurrency) {
  return { ...chainCurrency(token), supportsBridging: isSolverCurrency(chain, token) };
}
