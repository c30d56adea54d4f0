import { expect } from "chai";
import { FirstPlaces } from "../../../../../emulator/store/search/FirstPlaces.ts";
import { RequestIndex } from "../../../../../emulator/store/search/RequestIndex.ts";
import type { SearchPlace, SearchSort } from "../../../../../emulator/store/search/SearchQuery.ts";
import { requestRow } from "../../support/requests.ts";

/** Requests that are worth so much, in this order. */
function indexOf(values: readonly number[]): RequestIndex {
  const index = new RequestIndex({ zoneRows: 4 });
  for (const [row, amount_usd] of values.entries()) {
    index.put(requestRow({ amount_usd, id: `0x${String(row).padStart(64, "0")}` }));
  }
  return index;
}

describe("the first places of an order", () => {
  const values = [5, 3, 9, 3, 7, 1, 9, 0];
  const index = indexOf(values);
  const rows = Int32Array.from(values.keys());
  const valuesOf = (places: readonly SearchPlace[]) => places.map(({ value }) => value);
  const first = (direction: SearchSort["direction"], limit: number, after?: SearchPlace) =>
    new FirstPlaces(index, { after, limit, sort: { column: "amount_usd", direction } });

  it("are the same in whatever order and portions rows are offered", () => {
    for (const direction of ["asc", "desc"] as const) {
      const expected = values.toSorted((a, b) => (direction === "asc" ? a - b : b - a)).slice(0, 5);
      for (const offered of [rows, rows.toReversed(), Int32Array.from([6, 0, 7, 2, 5, 1, 4, 3])]) {
        const places = first(direction, 5);
        places.offer(offered, 3);
        places.offer(offered.subarray(3), 5);
        expect(valuesOf(places.places())).to.deep.equal(expected);
      }
    }
  });

  it("are decided by the id between equals, in the direction of the order", () => {
    const rowsOf = (direction: SearchSort["direction"], after?: SearchPlace) => {
      const places = first(direction, 4, after);
      places.offer(rows, rows.length);
      return places.places().map(({ id }) => index.rowOf(id));
    };
    expect(rowsOf("asc")).to.deep.equal([7, 5, 1, 3]);
    expect(rowsOf("desc")).to.deep.equal([6, 2, 4, 0]);
    // Rows 1 and 3 are worth the same: going up, row 3 is behind row 1, and going down it is not.
    const place = { id: index.ids[1] as string, value: 3 };
    expect(rowsOf("asc", place)).to.deep.equal([3, 0, 4, 2]);
    expect(rowsOf("desc", place)).to.deep.equal([5, 7]);
  });

  it("are only those behind a place, which need not be one of them", () => {
    const places = first("asc", 10, { id: "0x", value: 4 });
    places.offer(rows, rows.length);
    expect(valuesOf(places.places())).to.deep.equal([5, 7, 9, 9]);
  });

  it("tell which values could still change them", () => {
    const places = first("desc", 2, { id: "0x", value: 8 });
    expect(places.isWorthwhile(9, 20)).to.equal(false);
    expect(places.isWorthwhile(0, 8)).to.equal(true);
    places.offer(rows, rows.length);
    expect(valuesOf(places.places())).to.deep.equal([7, 5]);
    // Between equals the id decides: five may still be displaced by five, and by nothing below.
    expect(places.isWorthwhile(0, 5)).to.equal(true);
    expect(places.isWorthwhile(0, 4)).to.equal(false);
  });
});
