import { ascending } from "./ascending.ts";
import type { Value } from "./Column.ts";
import { byAll, byAny, byCodes, byEitherValues, byValues, type Filter } from "./Filter.ts";
import type { Part } from "./Part.ts";
import type { RequestIndex } from "./RequestIndex.ts";
import type { Condition, SearchField } from "./SearchQuery.ts";
import type { ShapeName, Shapes } from "./Shapes.ts";

/** Where a condition's value is looked for; with two columns, either may have it. */
const columnsOf: Readonly<Partial<Record<SearchField, readonly [ShapeName, ShapeName?]>>> = {
  chainId: ["origin_chain_id", "destination_chain_id"],
  currencyInAddress: ["currency_in"],
  currencyInChainId: ["origin_chain_id"],
  currencyInSymbol: ["currency_in_symbol"],
  currencyOutAddress: ["currency_out"],
  currencyOutChainId: ["destination_chain_id"],
  currencyOutSymbol: ["currency_out_symbol"],
  destinationChainId: ["destination_chain_id"],
  failReason: ["fail_reason"],
  originChainId: ["origin_chain_id"],
  refundFailReason: ["refund_fail_reason"],
  requestType: ["request_type"],
  status: ["status"],
};

/** Whether a condition is on what makes a request's shape. */
export function isOnShapes({ field }: Condition): boolean {
  return columnsOf[field] !== undefined;
}

/**
 * Groups of conditions on shapes, ready to be held against rows: all conditions of one of the groups must hold. How many rows
 * fit is known without a look at them.
 */
export function shapesPart(groups: readonly (readonly Condition[])[], { shapes }: RequestIndex): Part {
  const filter = byAny(
    groups.map((group) => byAll(group.map((condition) => onShapes(condition, shapes)))),
    shapes.size,
  );
  const all = ascending(shapes.size);
  const fitting = all.subarray(0, filter(all, all.length));
  const fits = new Uint8Array(shapes.size);
  let expected = 0;
  for (const shape of fitting) {
    fits[shape] = 1;
    expected += shapes.rows.countAt(shape);
  }
  return { expected, filter: byCodes(shapes.rows, fits), isExact: true };
}

/** Shapes that fit a condition. */
function onShapes({ field, negated, values }: Condition, shapes: Shapes): Filter {
  const [name, other] = columnsOf[field] ?? [];
  if (name === undefined) throw new Error(`${field} is not part of a shape`);
  const wanted = values.map((value) => comparableValue(field, value));
  return other === undefined
    ? byValues(shapes.values[name], wanted, negated)
    : byEitherValues([shapes.values[name], shapes.values[other]], wanted, negated);
}

function comparableValue(field: SearchField, value: string | number): Value {
  if (field.endsWith("Symbol")) return String(value).toLowerCase();
  // No reason is what nothing went wrong with.
  return field.endsWith("ailReason") && value === "N/A" ? null : value;
}
