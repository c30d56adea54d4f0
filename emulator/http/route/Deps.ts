import type { CorsOrigins } from "../../access/isOriginAllowed.ts";
import type { Context } from "../../context/Context.ts";
import type { Control } from "../../control/Control.ts";
import type { Solver } from "../../solver/startSolver.ts";
import type { Webhooks } from "../../webhooks/Webhook.ts";
import type { StreamControl } from "../../websocket/StreamControl.ts";

/** Dependencies of the routes. */
export type Deps = {
  readonly context: Context;
  readonly control: Control;
  readonly solver: Pick<Solver, "poke">;
  /** Browser origins that may read answers. @default true */
  readonly cors?: CorsOrigins | undefined;
  readonly webhooks: Webhooks;
  readonly restartSockets: StreamControl["restart"];
};
