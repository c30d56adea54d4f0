import type { Filter } from "./Filter.ts";
import type { Condition } from "./SearchQuery.ts";

/** A part of a query, ready to be held against rows. */
export type Part = {
  readonly filter: Filter;
  /** How many rows fit, more or less; nought only where none does. What fits least is tried first. */
  readonly expected: number;
  /** Whether they are exactly so many. */
  readonly isExact?: boolean | undefined;
  /** Every row that fits, where they are at hand. */
  readonly source?: Source | undefined;
};

/** Rows at hand. One may come twice. */
export type Source = { readonly count: number; readonly rows: () => Iterable<number> };

/** Ids of the requests that conditions name by what only the database knows. */
export type LookUps = ReadonlyMap<Condition, readonly string[]>;

/** What a condition means depends on it. */
export type Meaning = {
  readonly lookUps: LookUps;
  /** Whether children of what is named by id or deposit address belong to it. */
  readonly withChildren: boolean;
};
