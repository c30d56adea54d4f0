import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { defineChain, http } from "viem";
import { createConfig, injected, WagmiProvider } from "wagmi";
import { Bridge, type BridgeSettings } from "./Bridge.tsx";

/** Public settings, which the server writes into the page. In an app these are constants, and chains come from `viem/chains`. */
export type PageSettings = BridgeSettings & {
  chains: readonly { id: number; name: string; rpcUrl: string }[];
};

declare global {
  interface Window {
    settings: PageSettings;
  }
}

const { chains, ...settings } = window.settings;
const [first, ...others] = chains.map(({ id, name, rpcUrl }) => {
  const nativeCurrency = { decimals: 18, name: "Ether", symbol: "ETH" };
  return defineChain({ id, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } });
});
if (first === undefined) throw new Error("There is no chain.");
const config = createConfig({
  chains: [first, ...others],
  connectors: [injected()],
  transports: Object.fromEntries(chains.map(({ id, rpcUrl }) => [id, http(rpcUrl)])),
});

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
createRoot(root).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Bridge {...settings} />
    </QueryClientProvider>
  </WagmiProvider>,
);
