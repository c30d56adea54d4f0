import type { RequestRow } from "../tables.ts";
import { CodeColumn, type Value } from "./Column.ts";

/** Columns with few values. */
export const shapeNames = [
  "status",
  "request_type",
  "origin_chain_id",
  "destination_chain_id",
  "currency_in",
  "currency_out",
  "currency_in_symbol",
  "currency_out_symbol",
  "fail_reason",
  "refund_fail_reason",
] as const;
export type ShapeName = (typeof shapeNames)[number];

/**
 * What requests have in common that differ only in people, money and time. There are far fewer shapes than requests: any
 * combination of conditions on them is held against each shape once, and then against the one number that a row has of it.
 */
export class Shapes {
  /** By shape: its values. */
  readonly values: Readonly<Record<ShapeName, CodeColumn>>;
  /** By row: its shape. */
  readonly rows = new CodeColumn();

  constructor() {
    const columns = shapeNames.map((name) => [name, new CodeColumn()] as const);
    this.values = Object.fromEntries(columns) as Record<ShapeName, CodeColumn>;
  }

  /** Number of shapes that rows have or had. */
  get size(): number {
    return this.rows.size;
  }

  /** Takes a row in, or what has changed of it. */
  put(row: number, request: Pick<RequestRow, ShapeName>, isNew: boolean): void {
    const values = shapeNames.map((name) => comparable(name, request[name]));
    const known = this.rows.size;
    const key = JSON.stringify(values);
    const shape = isNew ? this.rows.add(row, key) : this.rows.replace(row, key);
    if (shape < known) return;
    for (const [place, name] of shapeNames.entries()) this.values[name].add(shape, values[place] as Value);
  }
}

/** In the form in which it is compared: symbols whatever their case. */
function comparable(name: ShapeName, value: Value): Value {
  return name.endsWith("symbol") ? String(value).toLowerCase() : value;
}
