import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex } from "viem";
import type { Context, LogEntry } from "./Context.ts";
import { deriveAccounts } from "./chains/accounts.ts";
import type { ExternalChain } from "./chains/connectChain.ts";
import { openChains } from "./chains/openChains.ts";
import { assertPortFree } from "./chains/ports.ts";
import { createStatusSocketServer } from "./delivery/statusSocketServer.ts";
import { startStatusSubscriptions } from "./delivery/statusSubscriptions.ts";
import { describeEmulator, type EmulatorInfo } from "./describe.ts";
import { createApp } from "./http/createApp.ts";
import { type Listening, listen } from "./http/listen.ts";
import { loadAdminKey } from "./keys/loadAdminKey.ts";
import { openApiKeys } from "./keys/openApiKeys.ts";
import { defaultQuoteSettings } from "./quote/QuoteSettings.ts";
import { startSolver } from "./solver/startSolver.ts";
import type { RouterVersion } from "./store/Intent.ts";
import { openStore } from "./store/openStore.ts";
import { resetStore } from "./store/resetStore.ts";

export type StartEmulatorParameters = {
  /** Where the API listens; 0 is any free port. @default 4000 */
  port?: number | undefined;
  /** Loopback unless asked otherwise. @default "127.0.0.1" */
  hostname?: string | undefined;
  /** Where the chains listen, one a chain; 0 is any free port. Unless given, 8545 and 8546, or free ones when taken. */
  chainPorts?: readonly number[] | undefined;
  /**
   * Chains that run elsewhere, instead of the default ones. Their nodes must take transactions of the test mnemonic's
   * accounts; what the service needs is deployed to those that the database does not know.
   */
  chains?: readonly ExternalChain[] | undefined;
  /**
   * Where everything is kept: `:memory:`, the path of a SQLite file with or without `sqlite:` before it, or `postgres://…`,
   * which needs the package `pg`. @default ":memory:"
   */
  database?: string | undefined;
  /** Whether to empty the database first. @default false */
  reset?: boolean | undefined;
  /** Generation of the router and approval proxy that swaps and calls go through. @default "v3" */
  routerVersion?: RouterVersion | undefined;
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

const defaultDatabase = ":memory:";
const defaultPort = 4000;
const defaultHostname = "127.0.0.1";

/**
 * Starts the whole service on this machine: chains, contracts, solver and API.
 *
 * @param parameters Ports and injected dependencies; everything has a default.
 * @returns Once it can serve.
 * @throws PortInUseError Naming the port.
 * @throws StoreChainMismatchError When the database is of a run on other chains.
 * @throws StoreLockedError When another process has the database's file.
 * @throws ChainUnreachableError, ChainNotFundedError, ServiceMissingError For chains that run elsewhere.
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
    database = defaultDatabase,
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
    const accounts = deriveAccounts();
    const { close, onCommit, onKeysChanged, store } = await openStore(database, { log });
    opened.push(close);
    if (parameters.reset === true) await resetStore(store);
    const chains = await openChains({
      accounts,
      chainPorts: parameters.chainPorts,
      external: parameters.chains,
      hostname,
      onOpened: (closeChain) => opened.push(closeChain),
      store,
    });
    const adminKey = await loadAdminKey({ random32, store });
    const apiKeys = await openApiKeys({ log, now, onKeysChanged, random32, store });
    const context: Context = {
      accounts,
      adminKey,
      apiKeys,
      chains: new Map(chains.map((chain) => [chain.definition.id, chain])),
      log,
      now,
      quoting: {
        ...defaultQuoteSettings(),
        ...(parameters.routerVersion && { routerVersion: parameters.routerVersion }),
      },
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
