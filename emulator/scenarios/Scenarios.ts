import type { ScenarioInfo, ScenarioResult } from "./Scenario.ts";

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
   * @throws InvalidParameterError for an unknown name, with similar ones.
   * @throws ControlRefusedError if the chains do not allow it, or it came out differently.
   */
  run(name: string, options?: ScenarioOptions): Promise<ScenarioResult>;
};

/** Options of a run. */
type ScenarioOptions = {
  readonly apiKeyId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};
