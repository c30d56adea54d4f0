import { privateKeyToAccount } from "viem/accounts";
import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";
import type { Context } from "../context/Context.ts";
import { scenarioReferrer } from "../context/FaultHooks.ts";
import type { Control } from "../control/Control.ts";
import { ControlRefusedError } from "../errors/refusals.ts";
import { catalogue, type Entry } from "./catalogue.ts";
import type {
  ApiAnswer,
  ScenarioContext,
  ScenarioInfo,
  ScenarioResult,
  Scenarios,
  Service,
} from "./Scenario.ts";
import { describeRequest, reached } from "./steps/readRequest.ts";

/** Interval of polls in milliseconds. */
const pollMs = 4;
/** Real time until a scenario gives up, in milliseconds. */
const patienceMs = 20_000;

/** The running parts that scenarios act on. */
type ScenarioParts = {
  readonly context: Context;
  readonly control: Control;
  /** Creates the API for a context. */
  readonly serve: (context: Context) => (request: Request) => Promise<Response>;
  /** Aborts the runs when the emulator stops. */
  readonly stopped: AbortSignal;
};

/** Opens the scenarios of a running emulator. */
export function openScenarios(parts: ScenarioParts): Scenarios {
  const { stopped } = parts;
  let last: Promise<unknown> = Promise.resolve();
  return {
    list: async () => [...catalogue].map(([name, entry]) => infoOf(name, entry)),
    run: async (name, { apiKeyId, signal: given } = {}) => {
      const entry = catalogue.get(name);
      if (entry === undefined) {
        const reason = `there is no scenario ${JSON.stringify(name.slice(0, 100))}; \`list\` names all`;
        throw new InvalidParameterError({ parameter: "name", reason });
      }
      const signal = given === undefined ? stopped : AbortSignal.any([given, stopped]);
      const turn = last.then(() => {
        signal.throwIfAborted();
        return withScenario(parts, { apiKeyId, name, signal }, (scenario) => play(scenario, name, entry));
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function infoOf(name: string, { cause, sentence }: Entry): ScenarioInfo {
  return { cause, name, sentence };
}

async function play(scenario: ScenarioContext, name: string, entry: Entry): Promise<ScenarioResult> {
  const info = infoOf(name, entry);
  if (entry.kind === "quote") {
    const { body, status } = await entry.play(scenario);
    const { errorCode, message } = body as { errorCode?: string; message?: string };
    if (errorCode !== entry.errorCode) {
      throw new ControlRefusedError(`The quote of ${name} came out differently: ${errorCode ?? status}.`);
    }
    return { ...info, body, errorCode, httpStatus: status, kind: "quote", message: message ?? "" };
  }
  const played = await entry.play(scenario);
  await reached(scenario, played.requestId, entry.status, "success", "failure", "refund");
  const result = { ...info, ...(await describeRequest(scenario, played)) };
  const { failReason, refundFailReason, status } = result;
  const isAsNamed =
    status === entry.status &&
    failReason === (entry.failReason ?? failReason) &&
    refundFailReason === (entry.refundFailReason ?? refundFailReason);
  if (isAsNamed) return result;
  const reasons = [status, failReason, refundFailReason].filter((part) => part !== null).join(", ");
  throw new ControlRefusedError(`Scenario ${name} came out differently: ${reasons}.`);
}

/** Which scenario is run, for which integrator. */
type ScenarioRun = {
  readonly apiKeyId: string | undefined;
  readonly name: string;
  readonly signal: AbortSignal;
};

/** Runs a scenario in a context of its own, and undoes what was changed, also after a failure. */
async function withScenario<Result>(
  parts: ScenarioParts,
  { apiKeyId, name, signal }: ScenarioRun,
  play: (scenario: ScenarioContext) => Promise<Result>,
): Promise<Result> {
  const { context, control, serve } = parts;
  const [origin, destination] = context.chains.values();
  if (origin === undefined || destination === undefined) {
    throw new ControlRefusedError("Scenarios pay from one chain to another: start two chains.");
  }
  const privateKey = context.random32();
  const undone: (() => Promise<unknown>)[] = [];
  const key = keyOf(context, apiKeyId);
  const service = callerOf(serve(quiet(context)), key);
  const adminHeaders = { "x-admin-key": context.adminKey };
  const scenario: ScenarioContext = {
    adminGet: async (path) => (await service("GET", path, { headers: adminHeaders })).body,
    control,
    destination,
    now: context.now,
    onEnd: (undo) => undone.push(undo),
    origin,
    random32: context.random32,
    referrer: `${scenarioReferrer}${name}`,
    service,
    serviceIn: (circumstances) =>
      callerOf(serve({ ...quiet(context), ...circumstances(quiet(context)) }), key),
    solver: context.accounts.solver.account.address,
    until: (ask, what) => poll(ask, what, signal),
    user: { account: privateKeyToAccount(privateKey), privateKey },
  };
  try {
    return await play(scenario);
  } finally {
    for (const undo of undone.reverse()) {
      await undo().catch((cause: unknown) =>
        context.log({ cause, level: "error", message: `a change of scenario ${name} could not be undone` }),
      );
    }
  }
}

/** The context without faults of routes and without rate limits, which belong to the clients of the API. */
function quiet(context: Context): Context {
  const { config, faults } = context.control;
  return {
    ...context,
    control: {
      ...context.control,
      config: { get: () => ({ ...config.get(), rateLimits: false }) },
      faults: { ...faults, forRoute: () => undefined },
    },
  };
}

/** Secret of the integrator's key: the first one by default; `undefined` if all are revoked. */
function keyOf({ apiKeys }: Pick<Context, "apiKeys">, id: string | undefined): string | undefined {
  const found = apiKeys.list().find((each) => id === undefined || each.id === id);
  if (found === undefined && id !== undefined) throw new ControlRefusedError(`There is no API key ${id}.`);
  return found?.key;
}

function callerOf(fetch: (request: Request) => Promise<Response>, key: string | undefined): Service {
  return async (method, path, { body, headers = {} } = {}): Promise<ApiAnswer> => {
    const json = body === undefined ? undefined : { body: JSON.stringify(body, withStrings) };
    const answer = await fetch(
      new Request(`http://localhost${path}`, {
        headers: {
          "content-type": "application/json",
          ...(key !== undefined && { "x-api-key": key }),
          ...headers,
        },
        method,
        ...json,
      }),
    );
    return { body: (await answer.json()) as ApiAnswer["body"], status: answer.status };
  };
}

function withStrings(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

async function poll<Found>(
  ask: () => Promise<Found | undefined>,
  what: string,
  signal: AbortSignal,
): Promise<Found> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    signal.throwIfAborted();
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new ControlRefusedError(`Waited too long for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
