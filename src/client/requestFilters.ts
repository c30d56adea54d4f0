import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertValid, readObject } from "../internal/readParts.ts";
import {
  type FilterField,
  type FilterValue,
  type RequestFilterGroup,
  requestFiltersSchema,
} from "../schema/request/query/requestFilters.ts";
import { readBy } from "../schema/wire/readBy.ts";

/** Fields of a group, before negation. */
export type FilterFields = {
  readonly [Field in FilterField]?: FilterValue<Field> | readonly FilterValue<Field>[] | undefined;
};

/**
 * Builds filters from groups: a request matches if it matches any group.
 *
 * Rejects ranges, `features` and `term`, in types and at run time: they exist only at the top level of the query.
 *
 * @throws InvalidParameterError for an invalid field, by group and name.
 *
 * @example
 * import { allOf, anyOf, createClient, getRequests, not, production } from "waybill/client";
 *
 * const { requests } = await getRequests(createClient({ ...production, apiKey: "your-key" }), {
 *   filters: anyOf(
 *     { depositAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", originChainId: 8453 },
 *     allOf({ destinationChainId: 10 }, not({ status: ["failure", "refund"] })),
 *   ),
 * });
 * console.log(requests.length);
 */
export function anyOf(...groups: readonly RequestFilterGroup[]): RequestFilterGroup[] {
  return readBy(requestFiltersSchema, groups, "filters");
}

/**
 * Builds a group from parts: a request must match all of them.
 *
 * @throws InvalidParameterError when two parts have the same field.
 *
 * @example
 * import { allOf, not } from "waybill/client";
 *
 * allOf({ originChainId: 8453 }, not({ status: "failure" })); // { originChainId: 8453, "not:status": "failure" }
 */
export function allOf(...parts: readonly RequestFilterGroup[]): RequestFilterGroup {
  const group = new Map<string, unknown>();
  for (const part of parts) {
    for (const [name, value] of Object.entries(readObject(part, "parts"))) {
      if (group.has(name)) {
        const reason = "it is in two parts of one group";
        throw new InvalidParameterError({ parameter: `parts.${name}`, reason });
      }
      group.set(name, value);
    }
  }
  return Object.fromEntries(group);
}

/**
 * Negates fields: a request matches if no field has the value, or any of the values.
 *
 * @throws InvalidParameterError when a field is already negated.
 *
 * @example
 * import { not } from "waybill/client";
 *
 * not({ status: ["failure", "refund"] }); // { "not:status": ["failure", "refund"] }
 */
export function not(fields: FilterFields): RequestFilterGroup {
  return Object.fromEntries(
    Object.entries(readObject(fields, "fields")).map(([name, value]) => {
      assertValid(!name.startsWith("not:"), name, "already negated");
      return [`not:${name}`, value];
    }),
  );
}
