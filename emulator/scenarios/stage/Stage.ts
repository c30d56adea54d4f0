import type { Address, Hex } from "viem";
import type { RequestStatus } from "../../../src/schema/request/requestStatus.ts";
import type { LocalKey } from "../../chains/accounts.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import type { Control } from "../../control/Control.ts";
import type { ApiAnswer, Played, ScenarioCause } from "../Scenario.ts";

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
  /** The first user's last one: it pays where a node cannot set balances. */
  readonly patron: LocalKey;
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
