import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { createPublicClient, defineChain, http, type PublicClient } from "viem";
import { accountCount, testMnemonic } from "./accounts.ts";
import type { ChainDefinition } from "./chainDefinitions.ts";

/** A chain that runs in this process and is served over HTTP. */
export type RunningChain = {
  readonly definition: ChainDefinition;
  readonly rpcUrl: string;
  readonly wsRpcUrl: string;
  /** Reads the chain the way everybody else does: over its RPC. */
  readonly client: PublicClient;
  close(): Promise<void>;
};

const networkName = "local";
/** How long open connections may delay a stop, in milliseconds. */
const closeGraceMs = 1_000;

/** Starts an automining chain with the test mnemonic's accounts unlocked, on a port that must be free. */
export async function startChain(
  definition: ChainDefinition,
  hostname: string,
  port: number,
): Promise<RunningChain> {
  const hre = await createHardhatRuntimeEnvironment({
    networks: {
      [networkName]: {
        accounts: { count: accountCount, mnemonic: testMnemonic },
        allowBlocksWithSameTimestamp: true,
        chainId: definition.id,
        chainType: "l1",
        hardfork: "prague",
        // A chain answers a reverting transaction with a receipt, as public ones do, not with an error.
        throwOnTransactionFailures: false,
        type: "edr-simulated",
      },
    },
  });
  const server = await hre.network.createServer(networkName, hostname, port);
  const address = await server.listen();
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const rpcUrl = `http://${host}:${address.port}`;
  const wsRpcUrl = `ws://${host}:${address.port}`;
  return {
    client: createPublicClient({
      cacheTime: 0,
      chain: defineChain({
        id: definition.id,
        name: definition.displayName,
        nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
        rpcUrls: { default: { http: [rpcUrl] } },
      }),
      pollingInterval: 20,
      transport: http(rpcUrl, { retryCount: 0, timeout: 30_000 }),
    }) as PublicClient,
    close: async () => {
      const grace = new Promise<void>((resolve) => setTimeout(resolve, closeGraceMs).unref());
      await Promise.race([server.close(), grace]);
    },
    definition,
    rpcUrl,
    wsRpcUrl,
  };
}
