import type { Context } from "../Context.ts";
import type { Solver } from "../solver/startSolver.ts";

/** What the routes work with. */
export type Deps = { readonly context: Context; readonly solver: Pick<Solver, "poke"> };
