import { AsyncLocalStorage } from "node:async_hooks";
import type { HookContext } from "hardhat/types/hooks";
import type { JsonRpcServer, NetworkConnection } from "hardhat/types/network";
import type { ExternalChain, StartEmulatorParameters } from "../emulator/index.ts";
import { startTestEmulator, type TestEmulator } from "../testing/index.ts";

type Connection = NetworkConnection<string>;

/** Options of {@link WaybillConnection.start}: how the emulator starts, and over which chains. */
export type StartOptions = Omit<
  StartEmulatorParameters,
  "chainCount" | "chainIds" | "chainPorts" | "chains" | "record"
> & {
  /** The chain that users pay on: a connection or a network of the configuration. @default a twin of this chain, id plus 1 */
  readonly origin?: Connection | string | undefined;
};

/** The cross-chain service on a connection's chain, which is the destination. */
export type WaybillConnection = {
  /**
   * Starts an emulator over the chain of this connection and one more, or returns the one that runs.
   *
   * Waits for the service's contracts to be deployed to both. Stops when the connection closes or the test run ends.
   *
   * @throws See `startEmulator`; Error if an emulator already runs with other options.
   */
  start(options?: StartOptions): Promise<TestEmulator>;
  /** Stops the emulator of this connection, if one runs. The chain stays. */
  stop(): Promise<void>;
};

/** The connection that a server is being opened for. */
const serving = new AsyncLocalStorage<Connection>();
const running = new Set<WaybillConnection>();

/** The connection to hand to a server in place of a new one. */
export const connectionToServe = (): Connection | undefined => serving.getStore();

/** Stops all emulators of this process: open servers would keep a test run from ending. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((each) => each.stop()));
}

/** The service on a connection; nothing starts yet. */
export function waybillConnection(context: HookContext, destination: Connection): WaybillConnection {
  let started: { readonly emulator: Promise<TestEmulator>; readonly options: StartOptions } | undefined;
  const closers: (() => Promise<unknown>)[] = [];
  const onStop = (close: () => Promise<unknown>) => closers.push(close);
  const start = async ({ origin, ...parameters }: StartOptions) => {
    const other = await originOf(context, { destination, onStop, origin });
    const chains = await Promise.all([other, destination].map((each) => chainOf(context, each, onStop)));
    const emulator = await startTestEmulator({ ...parameters, chains });
    onStop(emulator.stop);
    return emulator;
  };
  const connection: WaybillConnection = {
    start: (options = {}) => {
      if (started === undefined) {
        running.add(connection);
        started = { emulator: start(options), options };
        started.emulator.catch(connection.stop);
      } else if (options !== started.options && Object.keys(options).length > 0) {
        throw new Error(
          "The emulator of this connection runs with other options: stop it before it starts again.",
        );
      }
      return started.emulator;
    },
    stop: async () => {
      await started?.emulator.catch(() => undefined);
      started = undefined;
      running.delete(connection);
      // The last opened closes first.
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
  return connection;
}

async function originOf(
  { network }: HookContext,
  {
    destination,
    onStop,
    origin,
  }: { destination: Connection; onStop: OnStop; origin: StartOptions["origin"] },
): Promise<Connection> {
  if (typeof origin === "object") return origin;
  const { chainType, networkName } = destination;
  const twin = { chainType, network: networkName, override: { chainId: (await chainIdOf(destination)) + 1 } };
  const opened = await network.create(origin ?? twin);
  onStop(opened.close);
  return opened as Connection;
}

type OnStop = (close: () => Promise<unknown>) => void;

/** Serves a chain of this process over loopback. A chain that runs elsewhere has its address already. */
async function chainOf(
  { network }: HookContext,
  connection: Connection,
  onStop: OnStop,
): Promise<ExternalChain> {
  const id = await chainIdOf(connection);
  const { networkConfig } = connection;
  if (networkConfig.type === "http") return { id, rpcUrl: await networkConfig.url.getUrl() };
  const server: JsonRpcServer = await serving.run(connection, () =>
    network.createServer(connection.networkName, "127.0.0.1", 0),
  );
  const { port } = await server.listen();
  onStop(server.close);
  return { id, rpcUrl: `http://127.0.0.1:${port}` };
}

async function chainIdOf({ provider }: Connection): Promise<number> {
  return Number(await provider.request({ method: "eth_chainId" }));
}
