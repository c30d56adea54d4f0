import { Hono } from "hono";
import type { Control } from "../../control/Control.ts";
import { controlBehaviour } from "./controlBehaviour.ts";
import { controlChains } from "./controlChains.ts";
import { controlFaults } from "./controlFaults.ts";
import { controlKeys } from "./controlKeys.ts";
import { controlState } from "./controlState.ts";

/** Everything below `/admin` by which tests control the emulator; `Control` says what each does. */
export function controlRoutes(control: Control): Hono {
  return new Hono()
    .route("/", controlBehaviour(control))
    .route("/", controlChains(control))
    .route("/", controlFaults(control))
    .route("/", controlKeys(control))
    .route("/", controlState(control));
}
