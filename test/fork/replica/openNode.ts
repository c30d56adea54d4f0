import { join } from "node:path";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { packageRoot } from "../../../emulator/chains/packageRoot.ts";
import type { Rpc } from "../../../emulator/chains/rpc.ts";

/** A chain in this process, served over HTTP. */
export type ReplicaNode = {
  readonly rpc: Rpc;
  /** Its JSON-RPC, on a free loopback port. */
  readonly url: string;
  close(): Promise<void>;
};

/**
 * Starts an empty chain.
 *
 * @param startAt Unix milliseconds of the first block.
 */
export async function openNode(startAt: number, chainId = 1): Promise<ReplicaNode> {
  const hre = await createHardhatRuntimeEnvironment({
    networks: {
      replica: {
        accounts: [],
        allowBlocksWithSameTimestamp: true,
        chainId,
        chainType: chainId === 1 ? ("l1" as const) : ("generic" as const),
        hardfork: "prague",
        initialDate: new Date(startAt),
        type: "edr-simulated" as const,
      },
    },
    // A missing folder: Hardhat would read every build in it, which takes most of the start.
    paths: { artifacts: join(packageRoot, "artifacts", "none") },
  });
  let opened: Parameters<typeof rpcOver>[0] | undefined;
  hre.hooks.registerHandlers("network", {
    // The server opens its own connection, which only this hook sees.
    newConnection: async (context, next) => {
      const connection = await next(context);
      opened = connection.provider;
      return connection;
    },
  });
  const server = await hre.network.createServer("replica", "127.0.0.1", 0);
  const { port } = await server.listen();
  if (opened === undefined) throw new Error("the server opened no connection");
  return { close: () => server.close(), rpc: rpcOver(opened), url: `http://127.0.0.1:${port}` };
}

function rpcOver(provider: {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}): Rpc {
  return (method, params = []) => provider.request({ method, params });
}
