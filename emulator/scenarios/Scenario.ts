import type { Address, Hex } from "viem";
import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import type { LocalKey } from "../chains/accounts.ts";
import type { Chain } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import type { Control } from "../control/Control.ts";

/** Whether the emulator comes to the outcome by its real cause, or a fault forces it. */
export type ScenarioCause = "real" | "injected";

/** An entry of the list of scenarios. */
export type ScenarioInfo = {
  /** Outcome and reason, as in `refund/slippage`. */
  readonly name: string;
  /** What happens. */
  readonly sentence: string;
  readonly cause: ScenarioCause;
};

/** A request that a scenario brought about. */
export type ScenarioRequest = ScenarioInfo & {
  readonly kind: "request";
  readonly requestId: Hex;
  /** The order of the deposit; `null` for a deposit without one. */
  readonly orderId: Hex | null;
  readonly status: RequestStatus;
  readonly failReason: string | null;
  readonly refundFailReason: string | null;
  readonly details: string | null;
  /** The user's payment; `null` where nothing was paid. */
  readonly depositTxHash: Hex | null;
  /** Transactions of the fill or the refund. */
  readonly txHashes: readonly Hex[];
  /** The event log of the request, oldest first. */
  readonly events: readonly ScenarioEvent[];
};

/** A row of the event log. */
export type ScenarioEvent = {
  readonly seq: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly trigger: string;
  readonly status: RequestStatus;
};

/** A refused quote that a scenario brought about. */
export type ScenarioRefusal = ScenarioInfo & {
  readonly kind: "quote";
  /** HTTP status of the answer. */
  readonly httpStatus: number;
  readonly errorCode: string;
  readonly message: string;
  /** The answer's body. */
  readonly body: Readonly<Record<string, unknown>>;
};

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

/** Named situations of the service, one for each status, reason and code; see `docs/scenarios.md`. */
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

/** What a scenario plays on: the running service, two of its chains and a user of its own. */
export type Stage = {
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
  readonly play: (stage: Stage) => Promise<Outcome>;
};

/** A scene whose request ends in a status. */
export type RequestScene = Scene<Played> & { readonly status: RequestStatus };
