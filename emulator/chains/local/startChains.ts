import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { assertNode } from "../../access/assertNode.ts";
import type { CorsOrigins } from "../../access/hostRule.ts";
import { assertPortFree, isPortFree } from "../../access/ports.ts";
import type { LogEntry } from "../../log/LogEntry.ts";
import type { RunningChain } from "../Chain.ts";
import {
  type ChainDefinition,
  definitionsOf,
  firstChainPort,
  type LocalChainsParameters,
} from "../chainDefinitions.ts";
import { type StartTime, startTimeOf } from "../startTime.ts";
import { type ChainPace, createChainRuntime } from "./startChain.ts";

/** Parameters of {@link startChains}. */
export type StartChainsParameters = LocalChainsParameters & {
  /** Ports of the chains, one each; 0 is any free port. @default 8545 and up; a free port where one is taken */
  readonly chainPorts?: readonly number[] | undefined;
  /** Address to listen on. @default "127.0.0.1" */
  readonly hostname?: string | undefined;
  /** Origins whose pages may use the JSON-RPC: all, some or none. @default true */
  readonly cors?: CorsOrigins | undefined;
  /** Start of the chains' time: unix milliseconds or a date. @default the machine's time */
  readonly now?: StartTime | undefined;
};

/** Chains in this process, with funded accounts and no contracts. */
export type StartedChains = {
  readonly chains: readonly RunningChain[];
  close(): Promise<void>;
};

/**
 * Starts the local chains alone, for an emulator in another process.
 *
 * @throws PortInUseError Naming the port.
 * @throws InvalidParameterError For invalid ids or numbers of chains, and for another number of ports than of chains.
 *
 * @example
 * import { startChains, startEmulator } from "@waybill/emulator";
 *
 * const { chains, close } = await startChains({ chainPorts: [0, 0] });
 * const emulator = await startEmulator({
 *   chains: chains.map(({ definition, rpcUrl }) => ({ id: definition.id, rpcUrl })),
 *   port: 0,
 * });
 * await emulator.stop();
 * await close();
 */
export async function startChains(
  parameters: StartChainsParameters & {
    readonly pace?: ChainPace | undefined;
    readonly log?: ((entry: LogEntry) => void) | undefined;
    /** Forks, which start after the other chains. */
    readonly forks?: readonly ChainDefinition[] | undefined;
  } = {},
): Promise<StartedChains> {
  assertNode();
  const { hostname = "127.0.0.1" } = parameters;
  const { cors, forks = [], log, now, pace } = parameters;
  const definitions = [...definitionsOf(parameters), ...forks];
  const startAt = now === undefined ? undefined : startTimeOf(now);
  const ports = await choosePorts(parameters.chainPorts, definitions.length, hostname);
  const here = definitions.filter(({ fork }) => fork?.engine !== "anvil");
  const start = await createChainRuntime(here, { cors, log, pace, startAt });
  const started = await Promise.allSettled(
    definitions.map(async (definition, index) => {
      const port = ports[index] ?? 0;
      if (here.includes(definition)) return start(definition, hostname, port);
      // Loaded only for forks by anvil.
      const { forkByAnvil } = await import("./forkByAnvil.ts");
      return forkByAnvil(definition, { cors, hostname, port, startAt });
    }),
  );
  const chains = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const close = async () => {
    await Promise.all(chains.map((chain) => chain.close()));
  };
  const failed = started.find((each) => each.status === "rejected");
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  return { chains, close };
}

/** Given ports must be free. A default port that is taken is replaced by a free one, so that two emulators can run at once. */
async function choosePorts(
  asked: readonly number[] | undefined,
  count: number,
  hostname: string,
): Promise<readonly number[]> {
  if (asked === undefined) {
    return Promise.all(
      Array.from({ length: count }, async (_, index) =>
        (await isPortFree(firstChainPort + index, hostname)) ? firstChainPort + index : 0,
      ),
    );
  }
  if (asked.length !== count) {
    const are = count === 1 ? "is 1 chain" : `are ${count} chains`;
    const ports = asked.length === 1 ? "1 port" : `${asked.length} ports`;
    throw new InvalidParameterError({ parameter: "chainPorts", reason: `there ${are}, and ${ports}` });
  }
  for (const port of asked) await assertPortFree(port, hostname);
  return asked;
}
