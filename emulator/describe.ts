import { accountText } from "./chains/accountText.ts";
import type { LocalCurrency } from "./chains/Chain.ts";
import { svmRpcPath } from "./chains/svm/SvmChain.ts";
import type { Context } from "./context/Context.ts";
import type { EmulatorInfo } from "./EmulatorInfo.ts";
import { consolePath } from "./http/pages/consolePage.ts";
import { exchangePath } from "./perps/openExchange.ts";
import { statusSocketPath } from "./websocket/statusSocketServer.ts";

/** Creates the start-up document of a running emulator. */
export function describeEmulator(
  apiUrl: string,
  { accounts, adminKey, apiKeys, chains, exchange, svm }: Context,
): EmulatorInfo {
  return {
    adminKey,
    apiKeys: apiKeys.list().map(({ id, key, name }) => ({ id, key, name })),
    apiUrl,
    chains: [...chains.values()].map(({ contracts, currencies, definition, rpcUrl, swap, wsRpcUrl }) => ({
      accounts: accounts.users.map(({ account, privateKey }) => ({ address: account.address, privateKey })),
      contracts,
      currencies: currencies.map(shownCurrency),
      id: definition.id,
      name: definition.name,
      rpcUrl,
      vmType: "evm" as const,
      wrappedNative: swap.wrappedNative,
      wsRpcUrl,
    })),
    consoleUrl: `${apiUrl}${consolePath}`,
    ...(exchange !== undefined && {
      perps: {
        apiUrl: `${apiUrl}${exchangePath}`,
        chainId: exchange.definition.id,
        currencies: exchange.currencies.map(shownCurrency),
      },
    }),
    ...(svm !== undefined && {
      svm: {
        chainId: svm.definition.id,
        currencies: svm.currencies.map(({ address, ...rest }) => ({
          ...shownCurrency({ address, ...rest }),
          address: accountText(address),
        })),
        name: svm.definition.name,
        rpcUrl: `${apiUrl}${svmRpcPath}`,
        solver: accountText(svm.solver),
        vmType: "svm" as const,
      },
    }),
    solver: accounts.solver.account.address,
    wsUrl: `${apiUrl.replace(/^http/, "ws")}${statusSocketPath}`,
  };
}

function shownCurrency({ address, decimals, symbol }: LocalCurrency) {
  return { address, decimals, symbol };
}
