import { BrowserProvider, JsonRpcSigner, Wallet } from "ethers";
import { createPublicClient, createWalletClient, defineChain } from "viem";
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
  const { hasChain, hasReader, retries } = script;
  const node = network[attempt.node];
  const chain = defineChain({
    id: origin.id,
    name: "alpha",
    nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
    rpcUrls: { default: { http: [] } },
  });
  const named = hasChain ? { chain } : {};
  const readerOf = (reader: Node) =>
    createPublicClient({ ...named, cacheTime: 0, transport: viemTransport(reader, retries) });
  const publicClient = hasReader ? (readerOf(node) as never) : undefined;
  const browser = (own: Node) =>
    openBrowserWallet(scene, {
      ...attempt,
      isPlainWallet: script.isPlainWallet,
      node: own,
      otherNode: (method, params) => ask(other, method, params),
    });
  const nothing = () => undefined;
  switch (script.wallet) {
    case "viem": {
      const transport = viemTransport(node, retries);
      return {
        close: nothing,
        publicClient,
        wallet: createWalletClient({ ...named, account: attempt.account, transport }),
      };
    }
    case "ethers": {
      const provider = ethersProvider(node, hasChain ? origin.id : await namedChain(node, origin.id));
      return { close: () => provider.destroy(), publicClient, wallet: new Wallet(key, provider) as never };
    }
    case "browser, lying reader": {
      const transport = providerTransport(browser(network.honest));
      const wallet = createWalletClient({ ...named, account: victim.address, transport });
      return { close: nothing, publicClient: readerOf(node) as never, wallet };
    }
    case "browser, lying node": {
      const transport = providerTransport(browser(node));
      return {
        close: nothing,
        publicClient,
        wallet: createWalletClient({ ...named, account: victim.address, transport }),
      };
    }
    case "ethers in a browser": {
      const provider = new BrowserProvider(browser(node), undefined, { cacheTimeout: -1 });
      const wallet = new JsonRpcSigner(provider, victim.address) as never;
      return { close: () => provider.destroy(), publicClient, wallet };
    }
  }
}

/** The chain that a node names at the start, as a provider of ethers asks once. It would ask again until it got a number. */
async function namedChain(node: Node, expected: number): Promise<number> {
  const outcome = await node("eth_chainId", []);
  const id = "result" in outcome ? Number(outcome.result) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : expected;
}
