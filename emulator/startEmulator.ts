import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex } from "viem";
import { InvalidParameterError } from "../src/errors/InvalidParameterError.ts";
import type { Context, LogEntry } from "./Context.ts";
import { deriveAccounts } from "./chains/accounts.ts";
import type { Chain } from "./chains/Chain.ts";
import { defaultChainPorts, defaultChains } from "./chains/chainDefinitions.ts";
import { deployService } from "./chains/deployService.ts";
import { assertPortFree, isPortFree } from "./chains/ports.ts";
import { type RunningChain, startChain } from "./chains/startChain.ts";
import { observeCommits } from "./delivery/observeCommits.ts";
import { createStatusSocketServer } from "./delivery/statusSocketServer.ts";
import { startStatusSubscriptions } from "./delivery/statusSubscriptions.ts";
import { describeEmulator, type EmulatorInfo } from "./describe.ts";
import { secretKey } from "./http/apiKey.ts";
import { createApp } from "./http/createApp.ts";
import { type Listening, listen } from "./http/listen.ts";
import { startSolver } from "./solver/startSolver.ts";
import { openStore } from "./store/openStore.ts";
import { sqliteDialect } from "./store/sqlite.ts";

export type StartEmulatorParameters = {
  /** Where the API listens; 0 is any free port. @default 4000 */
  port?: number | undefined;
  /** Loopback unless asked otherwise. @default "127.0.0.1" */
  hostname?: string | undefined;
  /** Where the chains listen, one a chain; 0 is any free port. Unless given, 8545 and 8546, or free ones when taken. */
  chainPorts?: readonly number[] | undefined;
  /** Told of everything worth a line. */
  log?: ((entry: LogEntry) => void) | undefined;
  /** Unix milliseconds. */
  now?: (() => number) | undefined;
  /** 32 random bytes, for request ids, salts and keys. */
  random32?: (() => Hex) | undefined;
};

/** A running emulator. */
export type Emulator = {
  readonly info: EmulatorInfo;
  /** Answers as the API does, without a socket. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Finishes what is under way, then closes everything. Safe to call twice. */
  stop(): Promise<void>;
};

export type StartEmulatorReturnType = Promise<Emulator>;

const defaultPort = 4000;
const defaultHostname = "127.0.0.1";

/**
 * Starts the whole service on this machine: chains, contracts, solver and API.
 *
 * @param parameters Ports and injected dependencies; everything has a default.
 * @returns Once it can serve.
 * @throws PortInUseError Naming the port.
 *
 * @example
 * import { startEmulator } from "waybill/emulator";
 *
 * const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 * console.log(emulator.info.apiUrl);
 * await emulator.stop();
 */
export async function startEmulator(parameters: StartEmulatorParameters = {}): StartEmulatorReturnType {
  const {
    hostname = defaultHostname,
    log = () => {},
    now = Date.now,
    port = defaultPort,
    random32 = () => bytesToHex(randomBytes(32)),
  } = parameters;
  // What has been opened so far, to be closed in the opposite order: on stop, or when a later part fails to start.
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    await assertPortFree(port, hostname);
    const ports = await chainPorts(parameters.chainPorts, hostname);
    const accounts = deriveAccounts();
    const startOne = async (index: number): Promise<Chain> => {
      const definition = defaultChains[index];
      if (definition === undefined) throw new Error(`there is no chain ${index}`);
      const running: RunningChain = await startChain(definition, hostname, ports[index] ?? 0);
      opened.push(running.close);
      return deployService(running, accounts);
    };
    const chains = await Promise.all(defaultChains.map((_, index) => startOne(index)));
    const { dialect, onCommit } = observeCommits(sqliteDialect(":memory:"));
    const store = await openStore(dialect);
    opened.push(() => store.destroy());
    const context: Context = {
      accounts,
      adminKey: secretKey(random32),
      apiKeys: [{ key: secretKey(random32), name: "default" }],
      chains: new Map(chains.map((chain) => [chain.definition.id, chain])),
      log,
      now,
      random32,
      store,
    };
    const subscriptions = await startStatusSubscriptions({ log, onCommit, store });
    opened.push(subscriptions.stop);
    const solver = startSolver(context);
    opened.push(solver.stop);
    const app = createApp({ context, solver });
    const upgrades = createStatusSocketServer(context, subscriptions);
    const listening: Listening = await listen(app.fetch, { hostname, port, upgrades });
    opened.push(listening.close);
    return {
      fetch: async (request) => app.fetch(request),
      info: describeEmulator(listening.url, context),
      stop: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Ports that were asked for must be free; the default ones give way to free ones, so that two emulators can run at once. */
async function chainPorts(
  asked: readonly number[] | undefined,
  hostname: string,
): Promise<readonly number[]> {
  if (asked !== undefined) {
    if (asked.length !== defaultChains.length) {
      throw new InvalidParameterError({
        parameter: "chainPorts",
        reason: `there are ${defaultChains.length} chains, and ${asked.length} ports for them`,
      });
    }
    for (const port of asked) await assertPortFree(port, hostname);
    return asked;
  }
  return Promise.all(defaultChainPorts.map(async (port) => ((await isPortFree(port, hostname)) ? port : 0)));
}
