import * as z from "zod";
import type { SearchPlace, SearchSort } from "../../../requests/search/SearchQuery.ts";
import { InvalidRequestError } from "../../body/readBody.ts";

const cursorSchema = z.tuple([
  z.enum(["created_at", "updated_at", "amount_usd"]),
  z.enum(["asc", "desc"]),
  z.int(),
  z.string().min(1).max(256),
]);

/**
 * Encodes the place after which the next page begins. A cursor names a place in the sort order, not a number of rows, so
 * new and changed requests do not shift the page.
 */
export function writeCursor({ column, direction }: SearchSort, { id, value }: SearchPlace): string {
  return Buffer.from(JSON.stringify([column, direction, Number(value), id])).toString("base64url");
}

/** Decodes a cursor. */
export function readCursor(cursor: string, sort: SearchSort): SearchPlace {
  const read = cursorSchema.safeParse(parse(cursor));
  if (!read.success)
    throw new InvalidRequestError("Invalid request: `continuation`: not a cursor of this service");
  const [column, direction, value, id] = read.data;
  if (column !== sort.column || direction !== sort.direction) {
    throw new InvalidRequestError("Invalid request: `continuation`: a cursor of another order");
  }
  return { id, value };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
