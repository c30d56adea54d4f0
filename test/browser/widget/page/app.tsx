import { RelayKitProvider, SwapWidget, type Token } from "@relayprotocol/relay-kit-ui";
import { adaptViemWallet, createClient, type RelayChain } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { type Chain, http } from "viem";
import { createConfig, injected, useAccount, useConnect, useWalletClient, WagmiProvider } from "wagmi";
import {
  createQuoteGuard,
  guardProvider,
  type Refusal,
  type WalletProvider,
  watchRequests,
} from "../../../../src/guard/index.ts";
import { marketPrice } from "../../../helpers/guard/marketPrice.ts";
import type { PageGuard, Report, Settings } from "./settings.ts";
import { createWallet } from "./wallet.ts";

declare global {
  interface Window {
    settings: Settings;
    /** The wallet itself, whose log the driver reads. */
    wallet: ReturnType<typeof createWallet>;
    ethereum: WalletProvider;
    /** Refusals of the guard, which the driver reads. */
    refusals: Refusal[];
    /** Reports of the widget, which the driver reads. */
    reports: Report[];
  }
}

const { accountIndex, apiUrl, chains: pageChains, from, guard, recipient, to, wsUrl } = window.settings;
window.wallet = createWallet(pageChains, accountIndex);
window.refusals = [];
window.reports = [];
window.ethereum = guard === undefined ? window.wallet : guarded(guard);

/** What an app adds for a guard. */
function guarded({ priced, trust }: PageGuard): WalletProvider {
  const quoteGuard = createQuoteGuard({
    onRefused: (refusal) => window.refusals.push(refusal),
    policy: { price: marketPrice(priced), trust },
  });
  watchRequests(quoteGuard);
  return guardProvider(window.wallet, quoteGuard);
}

function Widget() {
  const { isConnected } = useAccount();
  const { connect } = useConnect();
  const { data: client } = useWalletClient();
  const wallet = useMemo(() => (client === undefined ? undefined : adaptViemWallet(client)), [client]);
  const [fromToken, setFromToken] = useState<Token | undefined>(from);
  const [toToken, setToToken] = useState<Token | undefined>(to);
  useEffect(() => {
    if (!isConnected && recipient === undefined) connect({ connector: injected() });
  }, [connect, isConnected]);
  return (
    <SwapWidget
      onSwapError={(message) => window.reports.push({ kind: "error", message })}
      onSwapSuccess={({ details, steps }) =>
        window.reports.push({
          amountIn: details?.currencyIn?.amount ?? "",
          amountOut: details?.currencyOut?.amount ?? "",
          kind: "success",
          requestId: steps.at(-1)?.requestId ?? "",
          steps: steps.map(({ id }) => id),
        })
      }
      setFromToken={(token) => setFromToken(token)}
      setToToken={(token) => setToToken(token)}
      supportedWalletVMs={recipient === undefined ? ["evm"] : ["svm"]}
      {...(fromToken !== undefined && { fromToken })}
      {...(toToken !== undefined && { toToken })}
      {...(recipient !== undefined && { defaultToAddress: recipient })}
      {...(wallet !== undefined && { wallet })}
    />
  );
}

function Page({ chains }: { chains: RelayChain[] }) {
  const [first, ...others] = chains.map(({ viemChain }) => viemChain as Chain);
  if (first === undefined) throw new Error("the service has no chain");
  const config = createConfig({
    chains: [first, ...others],
    connectors: [injected()],
    transports: Object.fromEntries(chains.map(({ httpRpcUrl, id }) => [id, http(httpRpcUrl)])),
  });
  return (
    <RelayKitProvider
      options={{
        appName: "widget test",
        baseApiUrl: apiUrl,
        chains,
        pollingInterval: 1_000,
        ...(wsUrl !== undefined && { websocket: { enabled: true, url: wsUrl } }),
      }}
    >
      <WagmiProvider config={config}>
        <QueryClientProvider client={new QueryClient()}>
          <Widget />
        </QueryClientProvider>
      </WagmiProvider>
    </RelayKitProvider>
  );
}

createClient({ baseApiUrl: apiUrl, source: "widget-test" });
const chains = await configureDynamicChains();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(<Page chains={chains} />);
