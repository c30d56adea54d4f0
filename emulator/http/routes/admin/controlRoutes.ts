import type { Deps } from "../../route/Deps.ts";
import type { Route } from "../../route/Route.ts";
import { controlBehaviour } from "./controlBehaviour.ts";
import { controlChains } from "./controlChains.ts";
import { controlFaults } from "./controlFaults.ts";
import { controlKeys } from "./controlKeys.ts";
import { controlState } from "./controlState.ts";

/** All `/admin` routes of the control; see `Control` for their effects. */
export function controlRoutes({ control }: Deps): readonly Route[] {
  return [
    ...controlBehaviour(control),
    ...controlChains(control),
    ...controlFaults(control),
    ...controlKeys(control),
    ...controlState(control),
  ];
}
