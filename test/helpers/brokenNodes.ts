import { type StartedChains, startChains } from "../../emulator/chains/startChains.ts";
import { type Emulator, type StartEmulatorParameters, startEmulator } from "../../emulator/index.ts";
import { createClient } from "../../src/client/index.ts";
import { type EmulatorFixture, testChain } from "./emulatorFixture.ts";
import { type MortalRpc, startMortalRpc } from "./mortalRpc.ts";
import { quickSleep } from "./quickSleep.ts";

/** An emulator that reaches its two chains by way of nodes that can be broken; the fixture's own way to them is sound. */
export type BrokenNodesFixture = EmulatorFixture & {
  readonly nodes: readonly [MortalRpc, MortalRpc];
};

/** @param timeoutMs How long the emulator waits for an answer of a node. */
export async function startBrokenNodes({
  timeoutMs,
  ...parameters
}: Pick<StartEmulatorParameters, "log"> & { timeoutMs: number }): Promise<BrokenNodesFixture> {
  const elsewhere: StartedChains = await startChains({ chainPorts: [0, 0] });
  const open = elsewhere.chains.map(async (chain) => ({ chain, node: await startMortalRpc(chain) }));
  const [first, second] = await Promise.all(open);
  if (first === undefined || second === undefined) throw new Error("too few chains");
  const chains = [first, second].map(({ chain, node }) => ({
    id: chain.definition.id,
    rpcUrl: node.url,
    timeoutMs,
  }));
  const emulator: Emulator = await startEmulator({ ...parameters, chains, port: 0 });
  const [alpha, beta] = emulator.info.chains.map((info, index) =>
    testChain({ ...info, rpcUrl: elsewhere.chains[index]?.rpcUrl ?? "" }),
  );
  if (alpha === undefined || beta === undefined) throw new Error("too few chains");
  return {
    alpha,
    beta,
    client: createClient({ baseUrl: emulator.info.apiUrl, retry: { count: 0 }, sleep: quickSleep }),
    emulator,
    nodes: [first.node, second.node],
    stop: async () => {
      for (const { node } of [first, second]) node.fault = undefined;
      await emulator.stop();
      first.node.stop();
      second.node.stop();
      await elsewhere.close();
    },
  };
}
