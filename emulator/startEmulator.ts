import type { Hex } from "viem";
import * as z from "zod";
import { BaseError } from "../src/errors/BaseError.ts";
import { InvalidParameterError } from "../src/errors/InvalidParameterError.ts";
import type { CorsOrigins } from "./access/isOriginAllowed.ts";
import { assertPortFree } from "./access/ports.ts";
import { assertStartParameters } from "./assertStartParameters.ts";
import { deriveAccounts } from "./chains/accounts.ts";
import type { Chain } from "./chains/Chain.ts";
import type { ExternalChain } from "./chains/evm/connectChain.ts";
import { chainReplacedIn } from "./chains/evm/guardIdentity.ts";
import { openChains } from "./chains/setup/openChains.ts";
import { type StartTime, startTimeOf } from "./chains/startTime.ts";
import { checkedControl, checkedWebhooks } from "./checkedHandle.ts";
import type { Context } from "./context/Context.ts";
import { capacityOf, type EmulatorConfig } from "./context/EmulatorConfig.ts";
import { defaultQuoteSettings } from "./context/QuoteSettings.ts";
import type { Control } from "./control/Control.ts";
import { openControl } from "./control/openControl.ts";
import { freeRandom, nextRun, type Random, seededRandom } from "./control/settings/seededRandom.ts";
import { describeEmulator, type EmulatorInfo } from "./describe.ts";
import { createApp } from "./http/createApp.ts";
import { type ClientLimits, type Listening, listen } from "./http/serving/listen.ts";
import { loadAdminKey } from "./keys/loadAdminKey.ts";
import { openApiKeys } from "./keys/openApiKeys.ts";
import { foldLog } from "./log/foldLog.ts";
import type { LogEntry } from "./log/LogEntry.ts";
import { startSolver } from "./solver/startSolver.ts";
import { isAboutOutage } from "./store/dialect/connectionLoss.ts";
import { openStore, type Store } from "./store/openStore.ts";
import { resetStore } from "./store/resetStore.ts";
import { prepareSearch } from "./store/search/searchRequests.ts";
import { startWebhooks } from "./webhooks/startWebhooks.ts";
import type { Webhooks } from "./webhooks/Webhook.ts";
import type { StreamControl } from "./websocket/StreamControl.ts";
import { createStatusSocketServer } from "./websocket/statusSocketServer.ts";
import { startStatusSubscriptions } from "./websocket/statusSubscriptions.ts";

/** What {@link startEmulator} takes. */
export type StartEmulatorParameters = {
  /** Where the API listens; 0 is any free port. @default 4000 */
  port?: number | undefined;
  /** Loopback unless asked otherwise. @default "127.0.0.1" */
  hostname?: string | undefined;
  /** How many local chains, from 1 to 8. @default 2, or as many as there are `chainIds` */
  chainCount?: number | undefined;
  /** Ids of the local chains, one a chain. @default 31337 and on */
  chainIds?: readonly number[] | undefined;
  /** Where the chains listen, one a chain; 0 is any free port. Unless given, 8545 and on, or free ones when taken. */
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
  /** Whether to empty the database first; no other process may use it then. @default false */
  reset?: boolean | undefined;
  /** Generation of the router and approval proxy that swaps and calls go through. @default "v3" */
  routerVersion?: EmulatorConfig["routerVersion"] | undefined;
  /** Told of everything worth a line. */
  log?: ((entry: LogEntry) => void) | undefined;
  /**
   * When the clock starts: unix milliseconds, or a date; it goes on from there, and local chains with it. Or a function that
   * gives the time outside, in unix milliseconds, by which the clock goes. @default Date.now
   */
  now?: StartTime | (() => number) | undefined;
  /** 32 random bytes, for request ids, salts and keys. */
  random32?: (() => Hex) | undefined;
  /**
   * Makes a run repeatable: ids and keys follow from it, and what faults do by chance. The same seed and the same calls give
   * the same. Whoever knows it knows the keys. Not together with `random32`.
   */
  seed?: string | undefined;
  /**
   * Which pages in a browser may read answers of the API, connect to the stream and use the JSON-RPC of the local chains:
   * any, those of some origins, or none. @default true
   */
  cors?: CorsOrigins | undefined;
  /** How long clients of the API may take before they are cut off. @default 10 s a header, 30 s a request or answer, 5 s idle */
  clientLimits?: Partial<ClientLimits> | undefined;
  /** Whether the service's rate limits apply. @default false */
  rateLimits?: boolean | undefined;
  /**
   * From when `GET /requests/v2` answers 410 by the emulator's clock: a date and time (ISO 8601, UTC), or `never`.
   * @default "2026-11-24T00:00:00.000Z"
   */
  requestsV2Sunset?: string | undefined;
  /**
   * Least time between a deposit and the success that the stream tells, in milliseconds: a wallet has read the answer to its
   * transaction by then. 0 for none. @default 10
   */
  successDelayMs?: number | undefined;
  /** What the solver lends to one request, in dollars, as a decimal number. @default "10000000" */
  capacityPerRequest?: string | undefined;
  /** Whether webhooks may go to other machines. @default false */
  allowRemoteWebhooks?: boolean | undefined;
  /** Whether the chains keep each block's state, for `control.chains.reorg`. Costs some memory a block. @default false */
  reorgs?: boolean | undefined;
};

/** A running emulator. */
export type Emulator = {
  readonly info: EmulatorInfo;
  /** Answers as the API does, without a socket. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The endpoints that statuses are posted to. */
  readonly webhooks: Webhooks;
  /** The websocket stream. */
  readonly websocket: StreamControl;
  /** Faults, clock, prices, balances, snapshots and more; see `docs/emulator.md`. */
  readonly control: Control;
  /** Finishes what is under way, then closes everything. Safe to call twice. */
  stop(): Promise<void>;
};

/** What {@link startEmulator} returns. */
export type StartEmulatorReturnType = Promise<Emulator>;

const defaultDatabase = ":memory:";
const defaultPort = 4000;
const defaultHostname = "127.0.0.1";
const defaultSuccessDelayMs = 10;

/**
 * Starts the whole service on this machine: chains, contracts, solver and API.
 *
 * @param parameters Ports and injected dependencies; everything has a default.
 * @returns Once it can serve.
 * @throws InvalidParameterError Naming a setting that is wrong.
 * @throws PortInUseError Naming the port.
 * @throws StoreChainMismatchError When the database is of a run on other chains.
 * @throws StoreLockedError When another process has the database's file, or uses the database that `reset` is to empty.
 * @throws InvalidParameterError When a parameter cannot be, or `now` is before what database or chains have.
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
  assertStartParameters(parameters);
  const {
    database = defaultDatabase,
    hostname = defaultHostname,
    log: write = () => {},
    port = defaultPort,
  } = parameters;
  const folded = foldLog(write);
  // The store logs an outage once, a chain that it was replaced; every part that notices it would repeat it.
  const log = (entry: LogEntry) => {
    if (!isAboutOutage(entry.cause) && chainReplacedIn(entry.cause) === undefined) folded.log(entry);
  };
  const { now: time = Date.now } = parameters;
  const start = typeof time === "function" ? undefined : startTimeOf(time);
  // What has been opened so far, to be closed in the opposite order: on stop, or when a later part fails to start.
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of opened.splice(0).reverse()) await close();
    folded.flush();
  };
  try {
    await assertPortFree(port, hostname);
    const accounts = deriveAccounts();
    const { close, onCommit, onKeysChanged, onSettingsChanged, store } = await openStore(database, {
      log,
      reset: parameters.reset === true ? resetStore : undefined,
    });
    opened.push(close);
    // Whoever searches waits for it, and is told when it fails.
    prepareSearch(store).catch(() => undefined);
    const random = await openRandom(parameters, store);
    const { random32 } = random;
    const { allowRemoteWebhooks, capacityPerRequest, rateLimits, reorgs } = parameters;
    const { requestsV2Sunset, routerVersion, seed } = parameters;
    const control = await openControl({
      base: typeof time === "function" ? time : Date.now,
      config: {
        allowRemoteWebhooks,
        capacityPerRequest,
        rateLimits,
        reorgs,
        requestsV2Sunset,
        routerVersion,
      },
      log,
      onSettingsChanged,
      random,
      seed,
      start,
      store,
    });
    opened.push(control.close);
    const { now } = control;
    const chains = await openChains({
      accounts,
      chainCount: parameters.chainCount,
      chainIds: parameters.chainIds,
      chainPorts: parameters.chainPorts,
      cors: parameters.cors,
      external: parameters.chains,
      hostname,
      latestHead: control.isNewStart ? control.startAt : undefined,
      log,
      onOpened: (closeChain) => opened.push(closeChain),
      startAt: control.startAt,
      store,
    });
    const adminKey = await loadAdminKey({ random32, store });
    const apiKeys = await openApiKeys({ log, now, onKeysChanged, random32, store });
    const site = { url: "" };
    const context: Context = {
      accounts,
      adminKey,
      apiKeys,
      chains: new Map(
        chains.map((chain) => [
          chain.definition.id,
          { ...control.priced(chain), siteUrl: () => site.url } satisfies Chain,
        ]),
      ),
      control: control.hooks,
      log,
      now,
      quoting: defaultQuoteSettings(),
      random32,
      store,
    };
    const subscriptions = await startStatusSubscriptions({
      faults: context.control.faults,
      log,
      onCommit,
      store,
      successDelayMs: parameters.successDelayMs ?? defaultSuccessDelayMs,
    });
    opened.push(subscriptions.stop);
    const solver = startSolver(context);
    opened.push(solver.stop);
    const controlled = await control.attach({
      ...context,
      apply: (config) => {
        context.quoting.capacityPerRequest = capacityOf(config);
        context.quoting.routerVersion = config.routerVersion;
      },
      hold: solver.hold,
      poke: solver.poke,
    });
    const upgrades = createStatusSocketServer(context, subscriptions, { cors: parameters.cors });
    const webhooks = await startWebhooks({
      ...context,
      allowRemote: () => context.control.config.get().allowRemoteWebhooks,
      chainIds: [...context.chains.keys()],
      faults: context.control.faults,
      onCommit,
    });
    opened.push(webhooks.stop);
    context.control.onClock(webhooks.poke);
    const app = createApp({
      context,
      control: controlled,
      cors: parameters.cors,
      restartSockets: upgrades.restart,
      solver,
      webhooks,
    });
    const { clientLimits: limits = {} } = parameters;
    const listening: Listening = await listen(app.fetch, { hostname, limits, port, upgrades });
    opened.push(listening.close);
    site.url = listening.url;
    return {
      control: checkedControl(controlled),
      fetch: async (request) => app.fetch(request),
      info: describeEmulator(listening.url, context),
      stop: closeAll,
      webhooks: checkedWebhooks(webhooks),
      websocket: { restart: upgrades.restart },
    };
  } catch (error) {
    await closeAll();
    if (!(error instanceof z.ZodError)) throw error;
    const sentence = "What a node or the database answered is not of a known form.";
    throw new BaseError(sentence, { cause: error, code: "START_FAILED" });
  }
}

/** Where ids and keys come from. */
async function openRandom({ random32, seed }: StartEmulatorParameters, store: Store): Promise<Random> {
  if (seed === undefined) return freeRandom(random32);
  if (random32 === undefined) return seededRandom(seed, await nextRun(store));
  throw new InvalidParameterError({ parameter: "seed", reason: "random bytes are given already" });
}
