import * as z from "zod/mini";
import { queryText } from "../../wire/queryField.ts";
import { chainIdSchema } from "../../wire/wireAmount.ts";
import { failReasons, refundFailReasons } from "../failReason.ts";
import { caseInsensitiveRequestType } from "../requestType.ts";
import { filterableStatuses } from "./requestsV2Query.ts";

const text = queryText();

/** Fields of a filter group: accounts, chains, currencies and outcomes. */
export const filterFields = {
  id: text,
  orderId: text,
  depositTxHash: text,
  fillTxHash: text,
  refundTxHash: text,
  user: text,
  recipient: text,
  depositAddress: text,
  originChainId: chainIdSchema,
  destinationChainId: chainIdSchema,
  chainId: chainIdSchema,
  currencyInChainId: chainIdSchema,
  currencyOutChainId: chainIdSchema,
  currencyInAddress: text,
  currencyOutAddress: text,
  currencyInSymbol: text,
  currencyOutSymbol: text,
  status: z.enum(filterableStatuses),
  failReason: z.enum(failReasons),
  refundFailReason: z.enum(refundFailReasons),
  requestType: caseInsensitiveRequestType,
  apiKey: text,
};

/** Name of a group's field. */
export type FilterField = keyof typeof filterFields;

/** Value of a group's field. */
export type FilterValue<Field extends FilterField> = z.output<(typeof filterFields)[Field]>;

/** A filter group: fields are combined with AND, list entries with OR; `not:` before a name negates it. */
export type RequestFilterGroup = {
  readonly [Field in FilterField as Field | `not:${Field}`]?:
    | FilterValue<Field>
    | readonly FilterValue<Field>[]
    | undefined;
};

/** Maximum length of the `filters` parameter, in characters. */
export const maxFiltersLength = 16_384;

const groupFields = Object.fromEntries(
  Object.entries(filterFields).flatMap(([name, field]) => {
    const value = z.optional(z.union([field, z.array(field).check(z.minLength(1), z.maxLength(100))]));
    return [
      [name, value],
      [`not:${name}`, value],
    ];
  }),
);

/**
 * Filter groups of `GET /requests/v3`: a request matches if it matches any group. Rejects unknown fields, and
 * `features` and ranges, which exist only at the top level.
 */
export const requestFiltersSchema = z
  .array(
    z
      .strictObject(groupFields)
      .check(z.refine((group) => Object.keys(group).length > 0, "a group without a field")),
  )
  .check(z.minLength(1), z.maxLength(100)) as unknown as z.ZodMiniType<
  RequestFilterGroup[],
  RequestFilterGroup[]
>;

/** The `filters` parameter: groups as JSON. */
export const requestFiltersQuerySchema: z.ZodMiniType<RequestFilterGroup[], string> = z.pipe(
  z.pipe(z.string().check(z.maxLength(maxFiltersLength)), z.transform(readJson)),
  requestFiltersSchema,
);

function readJson(text: string, { issues }: { issues: z.core.$ZodRawIssue[] }): unknown {
  try {
    return JSON.parse(text);
  } catch {
    issues.push({ code: "custom", input: text, message: "not JSON" });
    return z.NEVER;
  }
}

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
