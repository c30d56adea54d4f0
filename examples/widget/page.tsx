import { RelayKitProvider, SwapWidget, type Token } from "@relayprotocol/relay-kit-ui";
import { adaptViemWallet, createClient, type RelayChain } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { type Chain, http } from "viem";
import { createConfig, injected, useAccount, useConnect, useWalletClient, WagmiProvider } from "wagmi";

/** URL of the service, which the server writes into the page: `<html data-api-url="http://127.0.0.1:4000">`. */
const { apiUrl } = document.documentElement.dataset;
if (apiUrl === undefined) throw new Error("The page names no service.");

/** A currency of a chain by its symbol, as the widget wants it. */
function tokenOf(chain: RelayChain | undefined, symbol: string): Token | undefined {
  const currency = chain?.erc20Currencies?.find((each) => each.symbol === symbol);
  const { address, decimals, name } = currency ?? {};
  if (!chain || !address || !decimals || !name) return undefined;
  return { address, chainId: chain.id, decimals, logoURI: "", name, symbol };
}

/** The widget, with USDC of the first chain against USDC of the second. */
function Swap({ chains: [first, second] }: { chains: readonly RelayChain[] }) {
  const { isConnected } = useAccount();
  const { connect } = useConnect();
  const { data: client } = useWalletClient();
  const wallet = useMemo(() => client && adaptViemWallet(client), [client]);
  const [from, setFrom] = useState(tokenOf(first, "USDC"));
  const [to, setTo] = useState(tokenOf(second, "USDC"));
  const [status, setStatus] = useState("");
  return (
    <>
      <SwapWidget
        onConnectWallet={() => connect({ connector: injected() })}
        onSwapError={(message) => setStatus(`Failed: ${message}`)}
        onSwapSuccess={({ details }) => setStatus(`Received ${details?.currencyOut?.amount} units`)}
        setFromToken={setFrom}
        setToToken={setTo}
        supportedWalletVMs={["evm"]}
        {...(from && { fromToken: from })}
        {...(to && { toToken: to })}
        {...(wallet && { wallet })}
      />
      <p role="status">{isConnected ? status : "Connect a wallet"}</p>
    </>
  );
}

// The kit asks the service for its chains: an emulator's have ids of their own, and their nodes are local.
createClient({ baseApiUrl: apiUrl, source: "widget-example" });
const chains = await configureDynamicChains();
const [first, ...others] = chains.map(({ viemChain }) => viemChain as Chain);
if (first === undefined) throw new Error("The service has no chain.");
const config = createConfig({
  chains: [first, ...others],
  connectors: [injected()],
  transports: Object.fromEntries(chains.map(({ httpRpcUrl, id }) => [id, http(httpRpcUrl)])),
});
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
createRoot(root).render(
  <RelayKitProvider options={{ appName: "Example", baseApiUrl: apiUrl, chains, pollingInterval: 1_000 }}>
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Swap chains={chains} />
      </QueryClientProvider>
    </WagmiProvider>
  </RelayKitProvider>,
);
