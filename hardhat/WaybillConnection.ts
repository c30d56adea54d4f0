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
  /**
   * The chain that fills arrive on. With it, this connection's chain is the origin: `"twin"` for a twin of it, id plus 1, or a
   * connection, or a network of the configuration. Excludes `origin`.
   */
  readonly destination?: Connection | string | undefined;
};

/** The cross-chain service on a connection's chain, which is the destination unless `start` names another. */
export type WaybillConnection = {
  /**
   * Starts an emulator over the chain of this connection and one more, or returns the one that runs.
   *
   * Waits for the service's contracts to be deployed to both. Stops when the connection closes or the test run ends; under
   * Node's test runner, when the file ends.
   *
   * @throws See `startEmulator`; Error if an emulator already runs with other options, or for both `origin` and `destination`.
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
export function waybillConnection(context: HookContext, own: Connection): WaybillConnection {
  let started: { readonly emulator: Promise<TestEmulator>; readonly options: StartOptions } | undefined;
  const closers: (() => Promise<unknown>)[] = [];
  const onStop = (close: () => Promise<unknown>) => closers.push(close);
  const start = async ({ destination, origin, ...parameters }: StartOptions) => {
    if (destination !== undefined && origin !== undefined) {
      throw new Error("Pass `origin` or `destination`, not both: the other chain is this connection's own.");
    }
    const other = await openOther(context, { given: destination ?? origin, onStop, own });
    const route = destination === undefined ? [other, own] : [own, other];
    const chains = await Promise.all(route.map((each) => chainOf(context, each, onStop)));
    const emulator = await startTestEmulator({ ...parameters, chains });
    onStop(emulator.stop);
    // The servers and the twin that were opened for it would keep the process from ending: the end of the tests stops them, too.
    return Object.assign(emulator, { stop: connection.stop });
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

type Other = { readonly given: Connection | string | undefined; onStop: OnStop; own: Connection };

async function openOther({ network }: HookContext, { given, onStop, own }: Other): Promise<Connection> {
  if (typeof given === "object") return given;
  const { chainType, networkName } = own;
  const isTwin = given === undefined || given === "twin";
  const twin = { chainType, network: networkName, override: { chainId: (await chainIdOf(own)) + 1 } };
  const opened = await network.create(isTwin ? twin : given);
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
