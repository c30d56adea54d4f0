import type { Generated } from "kysely";
import type { ColumnTypes } from "./dialect/columnTypes.ts";

/** A column with the type of its values; the type exists for the compiler alone. */
type Column<Value> = {
  readonly type: keyof ColumnTypes;
  readonly constraints: string;
  readonly value?: Value;
};

type Columns = Readonly<Record<string, Column<unknown>>>;

/** A table: its columns in the order in which the database stores them, and its indexes as statements. */
export type Table<Each extends Columns = Columns> = {
  readonly columns: Each;
  readonly constraints: readonly string[];
  readonly indexes: readonly string[];
};

/** The row type of a table, as Kysely takes it. */
export type ColumnsOf<Each extends Table> = {
  [Name in keyof Each["columns"]]: Each["columns"][Name] extends Column<infer Value> ? Value : never;
};

/** Defines a table. A column without `OrNull` is never null. */
export function table<Each extends Columns>(
  columns: Each,
  constraints: readonly string[] = [],
  indexes: readonly string[] = [],
): Table<Each> {
  return { columns, constraints, indexes };
}

export function text<Value extends string = string>(constraints = ""): Column<Value> {
  return { constraints: `not null ${constraints}`, type: "text" };
}

export function textOrNull<Value extends string = string>(constraints = ""): Column<Value | null> {
  return { constraints, type: "text" };
}

export function integer<Value extends number = number>(constraints = ""): Column<Value> {
  return { constraints: `not null ${constraints}`, type: "integer" };
}

export function integerOrNull(constraints = ""): Column<number | null> {
  return { constraints, type: "integer" };
}

export function serial(): Column<Generated<number>> {
  return { constraints: "", type: "serial" };
}

/** A column that the database fills in when an insert leaves it out. */
export function generated<Value>(column: Column<Value>): Column<Generated<Value>> {
  return column as Column<Generated<Value>>;
}

export function createStatements(
  name: string,
  { columns, constraints, indexes }: Table,
  types: ColumnTypes,
): readonly string[] {
  const parts = Object.entries(columns).map(
    ([column, { constraints: rest, type }]) => `"${column}" ${types[type]} ${rest}`,
  );
  return [`create table ${name} (${[...parts, ...constraints].join(", ")})`, ...indexes];
}
