import { type RawBuilder, sql } from "kysely";

/*
 * What requests have in common that differ only in people, money and time: status, type, chains, currencies and reasons.
 * There are far fewer shapes than requests. Each has an index entry of its own for every order, so that any combination of
 * these conditions, negated ones included, is a union of a few index ranges, and one that nothing fits costs nothing.
 *
 * Only the beginning of an address is in it, to keep indexes small: two currencies may share a shape. What is found by
 * shape is therefore held against the conditions again.
 */
const parts = (row: string): readonly string[] => [
  `${row}status`,
  `${row}request_type`,
  `cast(${row}origin_chain_id as text)`,
  `cast(${row}destination_chain_id as text)`,
  `substr(${row}currency_in, 3, 8)`,
  `substr(${row}currency_out, 3, 8)`,
  `coalesce(${row}fail_reason, '')`,
  `coalesce(${row}refund_fail_reason, '')`,
];

/**
 * The shape of a row, as the indexes have it: databases use an index on an expression only for the same expression.
 *
 * @param row Name of the row in the statement; none where there is only one.
 */
export function shapeOf(row?: string): RawBuilder<string> {
  return sql.raw(`(${parts(row === undefined ? "" : `${row}.`).join(" || '|' || ")})`);
}
