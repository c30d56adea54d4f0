import { BrowserProvider, JsonRpcSigner, Wallet } from "ethers";
import { type Chain, createPublicClient, createWalletClient, defineChain } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { ExecuteParameters } from "../../../src/execute/index.ts";
import { openBrowserWallet } from "./BrowserWallet.ts";
import { ask, type Network, type Node } from "./nodes.ts";
import type { Attempt, Script } from "./Script.ts";
import type { Scene } from "./scene.ts";
import { ethersProvider, providerTransport, viemTransport } from "./transports.ts";

/** The parameters of `execute` that lead to a node, and the end of their connections. */
export type OpenedWallet = Pick<ExecuteParameters, "publicClient" | "wallet"> & { close(): void };

/** Opens the victim's wallet and reader of an attempt. */
export async function openWallet(
  scene: Scene,
  network: Network,
  script: Script,
  attempt: Attempt & { readonly account: PrivateKeyAccount },
): Promise<OpenedWallet> {
  const { key, origin, other, victim } = scene;
  const { hasChain, hasReader, liar, retries } = script;
  const nodeOf = (side: "reader" | "wallet") =>
    liar === "both" || liar === side ? network[attempt.node] : network.honest;
  const node = nodeOf("wallet");
  const named = hasChain ? { chain: chainOf(origin.id) } : {};
  const reader = { ...named, cacheTime: 0, transport: viemTransport(nodeOf("reader"), retries) };
  const publicClient = hasReader || liar !== "both" ? (createPublicClient(reader) as never) : undefined;
  const otherNode: Node = (method, params) => ask(other, method, params);
  const browser = openBrowserWallet(scene, { ...attempt, ...script, node, otherNode });
  const close = () => undefined;
  switch (script.wallet) {
    case "viem": {
      const transport = viemTransport(node, retries);
      const wallet = createWalletClient({ ...named, account: attempt.account, transport });
      return { close, publicClient, wallet };
    }
    case "ethers": {
      const provider = ethersProvider(node, hasChain ? origin.id : await namedChain(node, origin.id));
      return { close: () => provider.destroy(), publicClient, wallet: new Wallet(key, provider) as never };
    }
    case "browser": {
      const transport = providerTransport(browser);
      const wallet = createWalletClient({ ...named, account: victim.address, transport });
      return { close, publicClient, wallet };
    }
    case "ethers in a browser": {
      const provider = new BrowserProvider(browser, undefined, { cacheTimeout: -1 });
      const wallet = new JsonRpcSigner(provider, victim.address) as never;
      return { close: () => provider.destroy(), publicClient, wallet };
    }
  }
}

function chainOf(id: number): Chain {
  const nativeCurrency = { decimals: 18, name: "Ether", symbol: "ETH" };
  return defineChain({ id, name: "alpha", nativeCurrency, rpcUrls: { default: { http: [] } } });
}

/** The chain that a node names at the start, as a provider of ethers asks once. It would ask again until it got a number. */
async function namedChain(node: Node, expected: number): Promise<number> {
  const outcome = await node("eth_chainId", []);
  const id = "result" in outcome ? Number(outcome.result) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : expected;
}
