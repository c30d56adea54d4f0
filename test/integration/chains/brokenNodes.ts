import { type StartedChains, startChains } from "../../../emulator/chains/local/startChains.ts";
import { type Emulator, type StartEmulatorParameters, startEmulator } from "../../../emulator/index.ts";
import { createClient } from "../../../src/client/index.ts";
import { type EmulatorFixture, type TestChain, testChain } from "../../helpers/emulatorFixture.ts";
import { type MortalRpc, startMortalRpc } from "../../helpers/network/mortalRpc.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";

/** An emulator that reaches its chains through nodes with configurable faults; the fixture's own connections work. */
export type BrokenNodesFixture = EmulatorFixture & {
  readonly nodes: readonly [MortalRpc, MortalRpc, ...MortalRpc[]];
  /** All chains, in the order of `nodes`. */
  readonly chains: readonly TestChain[];
};

/** @param timeoutMs Time limit of the emulator for an answer of a node. */
export async function startBrokenNodes({
  chainCount = 2,
  timeoutMs,
  ...parameters
}: Pick<StartEmulatorParameters, "chainCount" | "log" | "now"> & {
  timeoutMs: number;
}): Promise<BrokenNodesFixture> {
  const elsewhere: StartedChains = await startChains({
    chainCount,
    chainPorts: Array.from({ length: chainCount }, () => 0),
  });
  const [first, second, ...others] = await Promise.all(
    elsewhere.chains.map((chain) => startMortalRpc(chain)),
  );
  if (first === undefined || second === undefined) throw new Error("too few chains");
  const nodes = [first, second, ...others] as const;
  const connected = elsewhere.chains.map(({ definition: { id } }, index) => ({
    id,
    rpcUrl: nodes[index]?.url ?? "",
    timeoutMs,
  }));
  const emulator: Emulator = await startEmulator({ ...parameters, chains: connected, port: 0 });
  const chains = emulator.info.chains.map((info, index) =>
    testChain({ ...info, rpcUrl: elsewhere.chains[index]?.rpcUrl ?? "" }),
  );
  const [alpha, beta] = chains;
  if (alpha === undefined || beta === undefined) throw new Error("too few chains");
  return {
    alpha,
    beta,
    chains,
    client: createClient({ baseUrl: emulator.info.apiUrl, retry: { count: 0 }, sleep: quickSleep }),
    emulator,
    nodes,
    stop: async () => {
      for (const node of nodes) node.fault = undefined;
      await emulator.stop();
      for (const node of nodes) node.stop();
      await elsewhere.close();
    },
  };
}
