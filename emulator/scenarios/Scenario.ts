import type { Address, Hex } from "viem";
import * as z from "zod";
import { type RequestStatus, requestStatuses } from "../../src/schema/request/requestStatus.ts";
import type { LocalKey } from "../chains/accounts.ts";
import type { Chain } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import type { Control } from "../control/Control.ts";

const causeSchema = z.enum(["real", "injected"]);

/** Whether the emulator comes to the outcome by its real cause, or a fault forces it. */
export type ScenarioCause = z.output<typeof causeSchema>;

const info = {
  /** Outcome and reason, as in `refund/slippage`. */
  name: z.string(),
  /** What happens. */
  sentence: z.string(),
  cause: causeSchema,
};

export const scenarioInfoSchema = z.strictObject(info);

/** An entry of the list of scenarios. */
export type ScenarioInfo = z.output<typeof scenarioInfoSchema>;

const hash = z.templateLiteral(["0x", z.string()]);
const status = z.enum(requestStatuses);

const eventSchema = z.strictObject({
  seq: z.int(),
  /** Unix milliseconds. */
  at: z.int(),
  trigger: z.string(),
  status,
});

/** A row of the event log. */
export type ScenarioEvent = z.output<typeof eventSchema>;

export const scenarioRequestSchema = z.strictObject({
  ...info,
  kind: z.literal("request"),
  requestId: hash,
  /** The order of the deposit; `null` for a deposit without one. */
  orderId: hash.nullable(),
  status,
  failReason: z.string().nullable(),
  refundFailReason: z.string().nullable(),
  details: z.string().nullable(),
  /** The user's payment; `null` where nothing was paid. */
  depositTxHash: hash.nullable(),
  /** Transactions of the fill or the refund. */
  txHashes: z.array(hash),
  /** The event log of the request, oldest first. */
  events: z.array(eventSchema),
});

/** A request that a scenario brought about. */
export type ScenarioRequest = z.output<typeof scenarioRequestSchema>;

export const scenarioRefusalSchema = z.strictObject({
  ...info,
  kind: z.literal("quote"),
  /** HTTP status of the answer. */
  httpStatus: z.int(),
  errorCode: z.string(),
  message: z.string(),
  /** The answer's body. */
  body: z.record(z.string(), z.unknown()),
});

/** A refused quote that a scenario brought about. */
export type ScenarioRefusal = z.output<typeof scenarioRefusalSchema>;

/** Outcome of a scenario. */
export type ScenarioResult = ScenarioRequest | ScenarioRefusal;

/** A request that was paid, or deliberately was not. */
export type Played = {
  readonly requestId: Hex;
  readonly orderId: Hex | null;
  readonly depositTxHash: Hex | null;
};

export type ApiAnswer = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Named situations of the service, one for each status, reason and code; see `docs/reference/scenarios.md`. */
export type Scenarios = {
  /** Lists all scenarios with a sentence each. */
  list(): Promise<readonly ScenarioInfo[]>;
  /**
   * Brings a situation about with an account of its own, and returns what an integrator sees of it. Runs one after the
   * other, and undoes what it changed for other requests.
   *
   * @param name Outcome and reason, as in `refund/slippage`.
   * @param options `signal` aborts the run; `apiKeyId` names the owner of the request, who gets its webhooks: the first key
   * by default.
   * @throws InvalidParameterError for an unknown name.
   * @throws ControlRefusedError if the chains do not allow it, or it came out differently.
   */
  run(name: string, options?: ScenarioOptions): Promise<ScenarioResult>;
};

type ScenarioOptions = {
  readonly apiKeyId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Calls the API without a socket. Neither faults of routes nor rate limits apply. */
export type Service = (
  method: "GET" | "POST",
  path: string,
  options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
) => Promise<ApiAnswer>;

/** The running service as a scenario sees it, with two of its chains and a user of its own. */
export type ScenarioContext = {
  readonly origin: Chain;
  readonly destination: Chain;
  /** A fresh account on every run. */
  readonly user: LocalKey;
  readonly solver: Address;
  readonly control: Control;
  /** Referrer of all requests of the scenario. */
  readonly referrer: string;
  readonly service: Service;
  /** Reads a route below `/admin`. */
  readonly adminGet: (path: string) => Promise<unknown>;
  /** The service as it would answer in other circumstances; the running one is not changed. */
  serviceIn(circumstances: (context: Context) => Partial<Context>): Service;
  readonly now: () => number;
  readonly random32: () => Hex;
  /** Registers what undoes a change. The last one is undone first, after a failure too. */
  onEnd(undo: () => Promise<unknown>): void;
  /** Polls until `ask` returns a value. @throws the abort's reason; ControlRefusedError after 20 seconds. */
  until<Found>(ask: () => Promise<Found | undefined>, what: string): Promise<Found>;
};

/** How a scenario comes about. */
export type Scene<Outcome> = {
  /** What happens, in a sentence of the list. */
  readonly sentence: string;
  readonly cause: ScenarioCause;
  /** Brings it about. What it changes for other requests is undone afterwards. */
  readonly play: (scenario: ScenarioContext) => Promise<Outcome>;
};

/** A scene whose request ends in a status. */
export type RequestScene = Scene<Played> & { readonly status: RequestStatus };
