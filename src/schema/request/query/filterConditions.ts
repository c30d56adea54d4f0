import type { FilterField, RequestFilterGroup } from "./requestFilters.ts";

/** A condition of a group: the field has one of the values, or, negated, none of them. */
export type FilterCondition = {
  readonly field: FilterField;
  readonly negated: boolean;
  readonly values: readonly (number | string)[];
};

/** Lists the conditions of a group, for a server. All of them must hold. */
export function filterConditions(group: RequestFilterGroup): FilterCondition[] {
  return Object.entries(group).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const negated = key.startsWith("not:");
    const field = (negated ? key.slice("not:".length) : key) as FilterField;
    return [{ field, negated, values: typeof value === "object" ? value : [value] }];
  });
}
