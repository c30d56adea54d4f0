import { Hono } from "hono";
import { zeroAddress } from "viem";
import type { Chain as ChainRecord } from "../../../src/schema/chain.ts";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import { solverCurrencies } from "../../quote/solverCurrencies.ts";
import type { Deps } from "../Deps.ts";

/** `GET /chains` (specification, "Chain record"). */
export function chainsRoute({ context }: Deps): Hono {
  return new Hono().get("/chains", (http) => {
    const solver = context.accounts.solver.account.address.toLowerCase();
    return http.json({ chains: [...context.chains.values()].map((chain) => chainRecord(chain, solver)) });
  });
}

function chainRecord(chain: Chain, solver: string): ChainRecord {
  const { contracts, currencies, definition } = chain;
  const [native, ...tokens] = currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  return {
    baseChainId: definition.id,
    blockProductionLagging: false,
    contracts: {
      approvalProxy: contracts.approvalProxy,
      erc20Router: contracts.erc20Router,
      multicall3: contracts.multicall3,
      relayReceiver: contracts.relayReceiver,
      v3: contracts.v3,
    },
    currency: { ...chainCurrency(native), supportsBridging: true },
    depositEnabled: true,
    depositFee: 0,
    disabled: false,
    displayName: definition.displayName,
    erc20Currencies: tokens.map((token) => ({
      ...chainCurrency(token),
      depositFee: 0,
      supportsBridging: true,
      surgeEnabled: false,
      withdrawalFee: 0,
    })),
    explorerName: definition.displayName,
    explorerUrl: chain.rpcUrl,
    featuredTokens: tokens.map((token) => ({ ...chainCurrency(token), metadata: { logoURI: "" } })),
    httpRpcUrl: chain.rpcUrl,
    iconUrl: "",
    id: definition.id,
    name: definition.name,
    partialDisableLimit: 0,
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

function chainCurrency({ address, decimals, name, symbol }: LocalCurrency) {
  const id = address === zeroAddress ? "native" : symbol.toLowerCase();
  return { address, decimals, id, name, symbol };
}
