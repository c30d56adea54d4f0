import type { RequestIndex } from "./RequestIndex.ts";
import type { SearchPlace, SearchSort } from "./SearchQuery.ts";

/** The first rows of an order among those that are offered. */
export class FirstPlaces {
  readonly #ids: readonly string[];
  readonly #limit: number;
  /** In order. */
  readonly #rows: number[] = [];
  readonly #sign: 1 | -1;
  readonly #values: Float64Array;
  readonly #after: SearchPlace | undefined;

  /** @param after Only what comes behind it. */
  constructor(
    index: RequestIndex,
    { after, limit, sort }: { after?: SearchPlace | undefined; limit: number; sort: SearchSort },
  ) {
    this.#after = after;
    this.#ids = index.ids;
    this.#limit = limit;
    this.#sign = sort.direction === "asc" ? 1 : -1;
    this.#values = index.numbers[sort.column].values;
  }

  /** Takes those of some rows that are among the first so far. */
  offer(rows: Int32Array, count: number): void {
    const sign = this.#sign;
    const values = this.#values;
    let worst = this.#worst();
    for (let i = 0; i < count; i++) {
      // Rows come more or less by age: from this end, those that displace others come first.
      const row = rows[sign === 1 ? i : count - 1 - i] as number;
      // Most rows end here, without a look at an id.
      if (sign * (values[row] as number) > worst) continue;
      this.#offerRow(row);
      worst = this.#worst();
    }
  }

  /** Whether rows whose values lie between two others can change anything any more. */
  isWorthwhile(low: number, high: number): boolean {
    const best = this.#sign === 1 ? low : high;
    const furthest = this.#sign === 1 ? high : low;
    if (this.#after !== undefined && this.#sign * (furthest - this.#after.value) < 0) return false;
    return this.#sign * best <= this.#worst();
  }

  /** What was found, in order. */
  places(): readonly SearchPlace[] {
    return this.#rows.map((row) => ({ id: this.#ids[row] as string, value: this.#values[row] as number }));
  }

  /** What the signed value of the next row must not be above. */
  #worst(): number {
    const last = this.#rows.length < this.#limit ? undefined : this.#rows.at(-1);
    return last === undefined ? Number.POSITIVE_INFINITY : this.#sign * (this.#values[last] as number);
  }

  #offerRow(row: number): void {
    const value = this.#values[row] as number;
    const id = this.#ids[row] as string;
    if (this.#after !== undefined && !isBehind(value, id, this.#after, this.#sign)) return;
    this.#rows.splice(this.#placeOf(value, id), 0, row);
    if (this.#rows.length > this.#limit) this.#rows.pop();
  }

  /** Where a row belongs among those that are kept. */
  #placeOf(value: number, id: string): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(value, id, this.#rows[middle] as number) < 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Negative where what has the value and the id comes before a row. */
  #compare(value: number, id: string, row: number): number {
    const difference = value - (this.#values[row] as number);
    return this.#sign * (difference !== 0 ? difference : compareIds(id, this.#ids[row] as string));
  }
}

function isBehind(value: number, id: string, after: SearchPlace, sign: 1 | -1): boolean {
  const difference = value - after.value;
  return sign * (difference !== 0 ? difference : compareIds(id, after.id)) > 0;
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
