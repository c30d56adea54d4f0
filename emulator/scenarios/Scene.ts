import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import type { Played, ScenarioCause } from "./Scenario.ts";
import type { Stage } from "./stage/Stage.ts";

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
