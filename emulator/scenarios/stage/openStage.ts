import { privateKeyToAccount } from "viem/accounts";
import type { Context } from "../../context/Context.ts";
import { scenarioReferrer } from "../../context/FaultHooks.ts";
import type { Control } from "../../control/Control.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import type { ApiAnswer, Service, Stage } from "../Scenario.ts";

/** Interval of polls in milliseconds. */
const pollMs = 4;
/** Real time until a scenario gives up, in milliseconds. */
const patienceMs = 20_000;

/** What scenarios are played with. */
export type Theatre = {
  readonly context: Context;
  readonly control: Control;
  /** Creates the API for a context. */
  readonly serve: (context: Context) => (request: Request) => Promise<Response>;
};

/** Which scenario is run, for which integrator. */
type ScenarioRun = {
  readonly apiKeyId: string | undefined;
  readonly name: string;
  readonly signal: AbortSignal;
};

/** Opens a stage, plays on it, and undoes what was changed, also after a failure. */
export async function withStage<Result>(
  theatre: Theatre,
  { apiKeyId, name, signal }: ScenarioRun,
  play: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const { context, control, serve } = theatre;
  const [origin, destination] = context.chains.values();
  if (origin === undefined || destination === undefined) {
    throw new ControlRefusedError("Scenarios pay from one chain to another: start two chains.");
  }
  const privateKey = context.random32();
  const undone: (() => Promise<unknown>)[] = [];
  const key = keyOf(context, apiKeyId);
  const service = callerOf(serve(quiet(context)), key);
  const adminHeaders = { "x-admin-key": context.adminKey };
  const stage: Stage = {
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
    return await play(stage);
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

/**
 * Circumstances of a time ago: the service's clock and its view of the chains' time. What it answers then is late now, and
 * no clock is moved.
 */
export function earlier(milliseconds: number): (context: Context) => Partial<Context> {
  const seconds = BigInt(Math.ceil(milliseconds / 1_000));
  return ({ chains, now }) => ({
    chains: new Map(
      [...chains].map(([id, chain]) => {
        const head = () => {
          const { timestamp, ...rest } = chain.head();
          return { ...rest, timestamp: timestamp - seconds };
        };
        return [id, { ...chain, head }];
      }),
    ),
    now: () => now() - milliseconds,
  });
}
