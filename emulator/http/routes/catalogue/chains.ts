import * as z from "zod";
import { type Chain as ChainRecord, chainsResponseSchema } from "../../../../src/schema/chain/chain.ts";
import { queryList, queryText } from "../../../../src/schema/wire/queryField.ts";
import { accountText } from "../../../chains/accountText.ts";
import type { Chain, LocalCurrency } from "../../../chains/Chain.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import type { ChainHealth } from "../../../context/ChainHealth.ts";
import { hiddenChains, isEvmChain, isSvmChain, type Place, placesOf } from "../../../context/places.ts";
import {
  chainImageUrl,
  currencyIdOf,
  currencyImageUrl,
  currencyText,
  explorerUrl,
  rpcUrlOf,
} from "../../../currencies/currencyId.ts";
import type { Exchange } from "../../../perps/openExchange.ts";
import { isSolverCurrency, solverCurrencies } from "../../../quote/route/planRoute.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

const noFees = { depositFee: 0, surgeEnabled: false, withdrawalFee: 0 };

/** `GET /chains` (specification, "Chain record"). */
export function chainsRoutes({ context }: Deps): readonly Route[] {
  return [
    defineRoute({
      endpoint: "GET /chains",
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

type Facts = Omit<ChainRecord, keyof ChainHealth>;

function recordOf(place: Place, solver: string): Facts {
  if (isEvmChain(place)) return chainRecord(place, solver);
  return isSvmChain(place) ? svmRecord(place) : exchangeRecord(place, solver);
}

function chainRecord(chain: Chain, solver: string): Facts {
  const { contracts, definition } = chain;
  return {
    ...commonRecord(chain),
    contracts: {
      approvalProxy: contracts.approvalProxy,
      erc20Router: contracts.erc20Router,
      multicall3: contracts.multicall3,
      multicaller: contracts.multicaller,
      onlyOwnerMulticaller: contracts.onlyOwnerMulticaller,
      relayReceiver: contracts.relayReceiver,
      v3: contracts.v3,
    },
    protocol: { v2: { chainId: definition.name, depository: contracts.depository } },
    solverAddresses: [solver],
    vmType: "evm",
    wsRpcUrl: chain.wsRpcUrl,
  };
}

/** The SVM chain has no depository: its own solver account takes deposits. */
function svmRecord(chain: SvmChain): Facts {
  return { ...ledgerRecord(chain, accountText(chain.solver)), vmType: "svm" };
}

/** The exchange has no contracts: the solver's account takes deposits, and the URLs are those of its API. */
function exchangeRecord(exchange: Exchange, solver: string): Facts {
  return { ...ledgerRecord(exchange, solver), vmType: "hypevm" };
}

function ledgerRecord(place: SvmChain | Exchange, solver: string): Omit<Facts, "vmType"> {
  return {
    ...commonRecord(place),
    protocol: { v2: { chainId: place.definition.name, depository: solver } },
    solverAddresses: [solver],
    wsRpcUrl: rpcUrlOf(place).replace(/^http/, "ws"),
  };
}

function commonRecord(place: Place) {
  const { currencies, definition } = place;
  const [native, ...tokens] = currencies;
  const tokenOf = (token: LocalCurrency) => ({
    ...chainCurrency(place, token),
    supportsBridging: isSolverCurrency(place, token),
  });
  return {
    baseChainId: definition.id,
    // For the native currency, clients take the flag as support of gas top-up.
    currency: { ...chainCurrency(place, native), supportsBridging: true },
    depositEnabled: true,
    displayName: definition.displayName,
    erc20Currencies: tokens.map((token) => ({ ...tokenOf(token), ...noFees })),
    explorerName: definition.displayName,
    explorerPaths: { transaction: "/tx/{TX_HASH}" },
    explorerUrl: explorerUrl(place),
    featuredTokens: tokens.map((token) => ({
      ...tokenOf(token),
      metadata: { logoURI: currencyImageUrl(place, token) },
    })),
    httpRpcUrl: rpcUrlOf(place),
    iconUrl: chainImageUrl(place),
    id: definition.id,
    logoUrl: chainImageUrl(place),
    name: definition.name,
    solverCurrencies: solverCurrencies(place).map((currency) => chainCurrency(place, currency)),
    ...noFees,
    tags: [],
    tokenSupport: "Limited",
  };
}

function chainCurrency(place: Place, currency: LocalCurrency) {
  const { address, decimals, name, symbol } = currency;
  const text = isSvmChain(place) ? currencyText(place, currency) : address;
  return { address: text, decimals, id: currencyIdOf({ symbol }), name, symbol };
}
