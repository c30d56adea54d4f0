import type { RequestFeaturesTable, RequestRow } from "../tables.ts";
import { ascending } from "./ascending.ts";
import { MarkColumn, NumberColumn, PartyColumn } from "./Column.ts";
import { Magnitudes } from "./Magnitudes.ts";
import type { Range } from "./SearchQuery.ts";
import { Shapes, shapeNames } from "./Shapes.ts";

/** Columns that never change, with the rows of each value at hand. */
export const partyNames = [
  "user",
  "recipient",
  "referrer",
  "api_key_id",
  "deposit_address",
  "parent_id",
] as const;
/** Columns that are searched by range. */
export const numberNames = [
  "created_at",
  "updated_at",
  "amount_usd",
  "app_fees_usd",
  "fill_time_ms",
  "origin_block",
] as const;

/** All that the index keeps of a request. */
export const indexedNames = ["id", ...partyNames, ...shapeNames, ...numberNames] as const;

/** A request, as far as the index keeps it. */
export type IndexedRow = Pick<RequestRow, (typeof indexedNames)[number]>;

/** So many rows are looked at together, or passed by together. */
const usualZoneRows = 16_384;

/**
 * What requests are searched by, column by column, in memory: around 300 bytes a request. Conditions are held against a million
 * rows in a few milliseconds this way, in whatever combination, so that no query needs an index of its own.
 *
 * Rows are in the order in which they came. They are never taken away: whoever replaces requests begins a new index.
 */
export class RequestIndex {
  /** By row. */
  readonly ids: string[] = [];
  readonly zoneRows: number;
  readonly parties: Readonly<Record<(typeof partyNames)[number], PartyColumn>>;
  readonly shapes = new Shapes();
  readonly numbers: Readonly<Record<(typeof numberNames)[number], NumberColumn>>;
  /** Rows by what they are worth: the third order, which has nothing to do with age. */
  readonly worth = new Magnitudes();
  /** By feature: which rows have it. */
  readonly #featured = new Map<string, MarkColumn>();
  /** Every row, and more: copying them is quicker than counting. */
  #order = new Int32Array(0);
  readonly #rowOf = new Map<string, number>();

  constructor({ zoneRows = usualZoneRows }: { readonly zoneRows?: number } = {}) {
    this.zoneRows = zoneRows;
    this.parties = columnsOf(partyNames, () => new PartyColumn());
    this.numbers = columnsOf(numberNames, () => new NumberColumn(zoneRows));
  }

  /** Number of requests. */
  get size(): number {
    return this.ids.length;
  }

  /** Some rows that follow one another. They are not to be changed. */
  inOrder(first: number, count: number): Int32Array {
    if (this.#order.length < this.size) {
      this.#order = ascending(2 * this.size);
    }
    return this.#order.subarray(first, first + count);
  }

  /** Where a request is. */
  rowOf(id: string): number | undefined {
    return this.#rowOf.get(id);
  }

  /** Which rows have a feature; nothing when none has. */
  featured(feature: string): MarkColumn | undefined {
    return this.#featured.get(feature);
  }

  /** Zones that may have a row which lies in a range. */
  zonesIn({ column, from, to }: Range): readonly number[] {
    if (from !== undefined && to !== undefined && from > to) return [];
    const { highs, lows } = this.numbers[column];
    return lows.flatMap((low, zone) => (isMet({ from, to }, low, highs[zone] as number) ? [zone] : []));
  }

  /** Takes a request in, or what has changed of it. */
  put(request: IndexedRow): void {
    const known = this.#rowOf.get(request.id);
    const row = known ?? this.ids.length;
    if (known === undefined) {
      this.ids.push(request.id);
      this.#rowOf.set(request.id, row);
      this.worth.add(row, request.amount_usd);
      for (const name of partyNames) this.parties[name].add(row, request[name]);
    }
    this.shapes.put(row, request, known === undefined);
    for (const name of numberNames) this.numbers[name].set(row, request[name]);
  }

  /** Marks a request that was taken in. It must not have the feature yet. */
  putFeature({ feature, request_id }: RequestFeaturesTable): void {
    const row = this.#rowOf.get(request_id);
    if (row === undefined) return;
    const marks = this.#featured.get(feature) ?? new MarkColumn();
    this.#featured.set(feature, marks);
    marks.add(row);
  }
}

/** Whether values from `low` to `high` may lie in a range. */
export function isMet({ from, to }: Pick<Range, "from" | "to">, low: number, high: number): boolean {
  return (from === undefined || high >= from) && (to === undefined || low <= to);
}

function columnsOf<Name extends string, Column>(
  names: readonly Name[],
  make: () => Column,
): Readonly<Record<Name, Column>> {
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Column>;
}
