import * as z from "zod";
import { BaseError } from "../src/errors/BaseError.ts";
import { assertNode } from "./access/assertNode.ts";
import { assertPortFree } from "./access/ports.ts";
import { followActivity, openActivityFeed } from "./activity/followActivity.ts";
import { deriveAccounts } from "./chains/accounts.ts";
import type { ShownChain } from "./chains/Chain.ts";
import { openChains } from "./chains/setup/openChains.ts";
import { startTimeOf } from "./chains/startTime.ts";
import type { SvmChain } from "./chains/svm/SvmChain.ts";
import type { SvmSources } from "./chains/svm/svmLog.ts";
import { type Context, defaultQuoteSettings } from "./context/Context.ts";
import { capacityOf } from "./context/EmulatorConfig.ts";
import type { Control } from "./control/Control.ts";
import { type OpenedControl, openControl } from "./control/openControl.ts";
import { openRandom } from "./control/settings/openRandom.ts";
import { describeEmulator, type EmulatorInfo } from "./describe.ts";
import { openRecentCalls } from "./http/body/recentCalls.ts";
import { createApp } from "./http/createApp.ts";
import type { Deps } from "./http/route/Route.ts";
import { listen } from "./http/serving/listen.ts";
import { openApiKeys } from "./keys/openApiKeys.ts";
import { loadAdminKey } from "./keys/secrets.ts";
import { dropRepetitions } from "./log/LogEntry.ts";
import { fundFirstKey } from "./money/sponsorLedger.ts";
import { openExchange } from "./perps/openExchange.ts";
import type { attachRun } from "./recording/attachRun.ts";
import type { Run } from "./recording/Recording.ts";
import type { Scenarios } from "./scenarios/Scenario.ts";
import { type Solver, startSolver } from "./solver/startSolver.ts";
import { assertStartParameters, defaultHostname, type StartEmulatorParameters } from "./startParameters.ts";
import { isAboutOutage } from "./store/dialect/connectionLoss.ts";
import { type OpenedStore, openStore } from "./store/openStore.ts";
import { resetStore } from "./store/resetStore.ts";
import { startWebhooks } from "./webhooks/startWebhooks.ts";
import type { Webhooks } from "./webhooks/Webhook.ts";
import type { StreamControl } from "./websocket/StreamControl.ts";
import { createStatusSocketServer } from "./websocket/statusSocketServer.ts";
import { startStatusSubscriptions } from "./websocket/statusSubscriptions.ts";

/** A running emulator. */
export type Emulator = {
  readonly info: EmulatorInfo;
  /** Handles a request like the API, without a socket. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Webhook endpoints and their deliveries. */
  readonly webhooks: Webhooks;
  /** The websocket stream. */
  readonly websocket: StreamControl;
  /** Faults, clock, prices, balances, snapshots and more; see `docs/reference/control.md`. */
  readonly control: Control;
  /** Named situations, one for each status, reason and code; see `docs/reference/scenarios.md`. */
  readonly scenarios: Scenarios;
  /** Finishes work in progress, then closes everything. Idempotent. */
  stop(): Promise<void>;
};

/** What {@link startEmulator} returns. */
export type StartEmulatorReturnType = Promise<Emulator>;

const defaultDatabase = ":memory:";
const defaultPort = 4000;
const defaultSuccessDelayMs = 10;

/** The logger of all parts, and the registration of functions that close them. */
type Lifetime = Pick<Context, "log"> & {
  readonly onStop: (close: () => Promise<void>) => void;
};

/**
 * Starts the whole service on this machine: chains, contracts, solver and API.
 *
 * @param parameters Ports, database and injected dependencies; each has a default.
 * @returns The running emulator, once it serves requests.
 * @throws Error that names this version of Node, below 22.16.
 * @throws InvalidParameterError for an invalid parameter, and for a `now` before the times in the database or on a chain.
 * @throws PortInUseError that names the port.
 * @throws StoreChainMismatchError for a database that belongs to other chains.
 * @throws StoreLockedError if another process holds the database file, or uses the database that `reset` would empty.
 * @throws ChainUnreachableError, ChainNotFundedError, ServiceMissingError for external chains.
 * @throws ForkUpstreamError that names chain and block, when the upstream of a fork does not serve its state.
 *
 * @example
 * import { startEmulator } from "@waybill/emulator";
 *
 * const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 * console.log(emulator.info.apiUrl);
 * await emulator.stop();
 */
export async function startEmulator(parameters: StartEmulatorParameters = {}): StartEmulatorReturnType {
  assertNode();
  assertStartParameters(parameters);
  if (parameters.record === undefined) return startWith(parameters, undefined);
  const { openRecording } = await import("./recording/recordRun.ts");
  return startWith(parameters, await openRecording(parameters, parameters.record));
}

/** Starts the emulator, for a run whose inputs are recorded or played. */
export async function startWith(
  given: StartEmulatorParameters,
  run: Run | undefined,
): StartEmulatorReturnType {
  const parameters = run === undefined ? given : { ...given, now: run.now, seed: run.seed };
  const log = dropRepetitions(parameters.log ?? (() => {}));
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const lifetime: Lifetime = {
    log: (entry) => {
      // The store logs an outage once. Each part that runs into it would log it again.
      if (!isAboutOutage(entry.cause)) log(entry);
    },
    onStop: (close) => closers.push(close),
  };
  if (run !== undefined) lifetime.onStop(run.close);
  try {
    return { ...(await startParts(parameters, lifetime, run)), stop };
  } catch (error) {
    await stop();
    if (!(error instanceof z.ZodError)) throw error;
    const sentence = "What a node or the database answered is not of a known form.";
    throw new BaseError(sentence, { cause: error, code: "START_FAILED" });
  }
}

/** Starts one part after the other: each needs those before it. */
async function startParts(
  parameters: StartEmulatorParameters,
  lifetime: Lifetime,
  run: Run | undefined,
): Promise<Omit<Emulator, "stop">> {
  const { cors, hostname = defaultHostname, port = defaultPort } = parameters;
  const { log, onStop } = lifetime;
  // Invalid parameters must fail before the database is emptied.
  const forControl = controlParameters(parameters);
  await assertPortFree(port, hostname);
  const database = await openDatabase(parameters, lifetime);
  const { onCommit, store } = database;
  const random = await openRandom(parameters, store);
  const settings = await openControl({ ...forControl, ...database, log, random });
  onStop(settings.close);
  const site = { url: "" };
  const context = await openContext(parameters, lifetime, { ...database, ...random, run, settings, site });
  const { faults } = settings.hooks;
  const { successDelayMs = defaultSuccessDelayMs } = parameters;
  const subscriptions = await startStatusSubscriptions({ faults, log, onCommit, store, successDelayMs });
  onStop(subscriptions.stop);
  const solver = startSolver(context);
  onStop(solver.stop);
  const control = await attachControl(settings, context, solver);
  const { chains } = context;
  if ([...chains.values()].some(({ definition }) => definition.fork)) await followForks(control, context);
  const sockets = createStatusSocketServer(context, subscriptions);
  const webhooks = await startWebhooks({
    ...context,
    allowRemote: () => settings.hooks.config.get().allowRemoteWebhooks,
    chainIds: [...context.chains.keys()],
    faults,
    onCommit,
  });
  onStop(webhooks.stop);
  settings.hooks.onClock(webhooks.wake);
  const activity = openActivityFeed({ ...context, onCommit });
  const { onActivity } = parameters;
  if (onActivity !== undefined) onStop(await followActivity({ feed: activity, log, onActivity }));
  const scenarios = lazyScenarios(() => deps, lifetime);
  const restartSockets = sockets.restart;
  const stopping = new AbortController();
  const deps: Deps = {
    ...{ activity, context, control, cors, restartSockets, scenarios, solver, webhooks },
    calls: openRecentCalls(context),
    stopping: stopping.signal,
  };
  const app = createApp(deps);
  const fetch = async (request: Request) => app.fetch(request);
  const handle = { control, scenarios, webhooks };
  const attached = run && (await attach(run, { context, fetch, handle, solver }));
  const listening = await listen(attached?.fetch ?? app.fetch, {
    ...{ cors, hostname, log, port },
    upgrades: sockets,
  });
  onStop(listening.close);
  // Streams end before the server waits for its connections.
  onStop(async () => stopping.abort());
  site.url = run?.siteUrl(listening.url) ?? listening.url;
  if (run !== undefined) onStop(run.close);
  await attached?.begin();
  return {
    ...(attached?.handle ?? handle),
    fetch: attached?.fetch ?? fetch,
    info: describeEmulator(listening.url, context),
    websocket: { restart: sockets.restart },
  };
}

async function attach<Handle extends object>(run: Run, parts: Parameters<typeof attachRun<Handle>>[1]) {
  const recording = await import("./recording/attachRun.ts");
  return recording.attachRun(run, parts);
}

/** Scenarios that load at their first use. */
function lazyScenarios(deps: () => Deps, { onStop }: Lifetime): Scenarios {
  const stopping = new AbortController();
  let opened: Promise<Scenarios> | undefined;
  const open = async () => {
    const { openScenarios } = await import("./scenarios/openScenarios.ts");
    const { context, control } = deps();
    const serve = (other: Context) => {
      const app = createApp({ ...deps(), context: other });
      return async (request: Request) => app.fetch(request);
    };
    return openScenarios({ context, control, serve, stopped: stopping.signal });
  };
  const running = new Set<Promise<unknown>>();
  onStop(async () => {
    stopping.abort(new Error("the emulator stops"));
    await Promise.allSettled(running);
  });
  const use = <Result>(act: (scenarios: Scenarios) => Promise<Result>): Promise<Result> => {
    opened ??= open();
    const result = opened.then(act);
    const settled = result.finally(() => running.delete(settled)).catch(() => undefined);
    running.add(settled);
    return result;
  };
  return {
    list: () => use((scenarios) => scenarios.list()),
    run: (name, options) => use((scenarios) => scenarios.run(name, options)),
  };
}

async function openDatabase(
  { database = defaultDatabase, reset = false }: StartEmulatorParameters,
  { log, onStop }: Lifetime,
): Promise<Omit<OpenedStore, "close">> {
  const { close, ...opened } = await openStore(database, { log, reset: reset ? resetStore : undefined });
  onStop(close);
  return opened;
}

function controlParameters({ now: time = Date.now, seed, ...parameters }: StartEmulatorParameters) {
  const { advancePerKey, advancePerRequest, allowRemoteWebhooks, capacityPerRequest } = parameters;
  const { lenient, rateLimits, reorgs, requestsV2Sunset, routerVersion } = parameters;
  const isClock = typeof time === "function";
  return {
    base: isClock ? time : Date.now,
    config: {
      ...{ advancePerKey, advancePerRequest, allowRemoteWebhooks, capacityPerRequest },
      ...{ lenient, rateLimits, reorgs, requestsV2Sunset, routerVersion },
    },
    seed,
    start: isClock ? undefined : startTimeOf(time),
  };
}

/** Opens the chains and the keys, and builds the shared context. */
async function openContext(
  parameters: StartEmulatorParameters,
  { log, onStop }: Lifetime,
  {
    onKeysChanged,
    random32,
    run,
    settings,
    site,
    store,
  }: Pick<Context, "random32" | "store"> &
    Pick<OpenedStore, "onKeysChanged"> & {
      readonly run: Run | undefined;
      readonly settings: OpenedControl;
      /** The API's address, set once it listens. */
      readonly site: { readonly url: string };
    },
): Promise<Context> {
  const { chainCount, chainIds, chainPorts, chains, cors, defaultKey, forks } = parameters;
  const { hostname = defaultHostname } = parameters;
  const { hooks: control, isNewStart, now, priced, startAt } = settings;
  const accounts = deriveAccounts();
  const opened = await openChains({
    ...{ accounts, chainCount, chainIds, chainPorts, cors, forks, hostname, log, store },
    pace: run?.pace,
    startAt: run?.startAt ?? startAt,
    external: chains,
    latestHead: isNewStart ? startAt : undefined,
    onOpened: onStop,
  });
  const adminKey = await loadAdminKey({ random32, store });
  const apiKeys = await openApiKeys({ isDefaultOn: defaultKey, log, now, onKeysChanged, random32, store });
  await fundFirstKey(store, now());
  const shown = <Shown extends ShownChain>(chain: Shown) => ({ ...priced(chain), siteUrl: () => site.url });
  const svm = parameters.svm === true ? shown(await openSvm({ now, random32, store })) : undefined;
  const exchange =
    parameters.perps === true ? shown(await openExchange({ accounts, now, store })) : undefined;
  return {
    ...{ accounts, adminKey, apiKeys, control, exchange, log, now, random32, store, svm },
    chains: new Map(opened.map((chain) => [chain.definition.id, shown(chain)])),
    privateChains: parameters.privateChains ?? [],
    quoting: defaultQuoteSettings(),
    workTime: () => Math.floor(performance.timeOrigin + performance.now()),
  };
}

function attachControl(settings: OpenedControl, context: Context, { hold, wake }: Solver): Promise<Control> {
  return settings.attach({
    ...context,
    apply: (config) => {
      context.quoting.capacityPerRequest = capacityOf(config);
      context.quoting.routerVersion = config.routerVersion;
    },
    hold,
    wake,
  });
}

/** Takes the price of ether from the forks. Loaded only for forks. */
async function followForks(control: Control, { chains }: Context): Promise<void> {
  const { followPools } = await import("./control/prices/followPools.ts");
  await followPools(control.prices, [...chains.values()]);
}

/** Loaded only for an SVM chain. */
async function openSvm(sources: SvmSources): Promise<SvmChain> {
  const { openSvmChain } = await import("./chains/svm/openSvmChain.ts");
  return openSvmChain(sources);
}
