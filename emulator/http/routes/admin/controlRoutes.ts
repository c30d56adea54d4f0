import type { Deps } from "../../route/Deps.ts";
import type { Route } from "../../route/Route.ts";
import { controlBehaviour } from "./controlBehaviour.ts";
import { controlChains } from "./controlChains.ts";
import { controlFaults } from "./controlFaults.ts";
import { controlKeys } from "./controlKeys.ts";
import { controlState } from "./controlState.ts";

/** Everything below `/admin` by which tests control the emulator; `Control` says what each does. */
export function controlRoutes({ control }: Deps): readonly Route[] {
  return [
    ...controlBehaviour(control),
    ...controlChains(control),
    ...controlFaults(control),
    ...controlKeys(control),
    ...controlState(control),
  ];
}
