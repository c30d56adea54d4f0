import { expect } from "chai";
import { readSearchV2, readSearchV3 } from "../../../../../../emulator/http/routes/requests/readSearch.ts";
import { requestsV2QuerySchema } from "../../../../../../src/schema/request/query/requestsV2Query.ts";
import { requestsV3QuerySchema } from "../../../../../../src/schema/request/query/requestsV3Query.ts";

const v2 = (query: Readonly<Record<string, string>>) =>
  readSearchV2(requestsV2QuerySchema.parse(query), (key) => `id of ${key}`);
const v3 = (query: Readonly<Record<string, string>>) =>
  readSearchV3(requestsV3QuerySchema.parse(query), (key) => `id of ${key}`);

describe("readSearch", () => {
  // @spec requests-v2/timestamps requests-v3/timestamps
  it("times: end with the last millisecond of their second, and are of the last change if that is the sort", () => {
    const times = { endTimestamp: "20", startTimestamp: "10" };
    const range = { from: 10_000, to: 20_999 };
    expect(v3(times).ranges).to.deep.equal([{ column: "created_at", ...range }]);
    expect(v3({ ...times, sortBy: "amountUsd" }).ranges).to.deep.equal([{ column: "created_at", ...range }]);
    expect(v3({ ...times, sortBy: "updatedAt" }).ranges).to.deep.equal([{ column: "updated_at", ...range }]);
    expect(v2({ ...times, sortBy: "updatedAt" }).ranges).to.deep.equal([{ column: "created_at", ...range }]);
  });

  // @spec state/listing requests-v2/status requests-v3/sort-direction requests-v3/sort-by
  // @spec requests-v2/sort-by requests-v2/sort-direction
  it("no direction: sorts times from the latest and amounts from the least", () => {
    for (const [sortBy, column, direction] of [
      ["createdAt", "created_at", "desc"],
      ["updatedAt", "updated_at", "desc"],
      ["amountUsd", "amount_usd", "asc"],
    ] as const) {
      expect(v3({ sortBy }).sort).to.deep.equal({ column, direction });
      expect(v3({ sortBy, sortDirection: "asc" }).sort.direction).to.equal("asc");
      expect(v3({ sortBy, sortDirection: "desc" }).sort.direction).to.equal("desc");
    }
    expect(v3({}).sort).to.deep.equal({ column: "created_at", direction: "desc" });
    expect(v2({}).sort).to.deep.equal({ column: "created_at", direction: "desc" });
  });

  it("status pending: includes submitted in version 2 and not in version 3", () => {
    const status = (values: readonly string[]) => [{ field: "status", negated: false, values }];
    expect(v2({ status: "pending" }).conditions).to.deep.equal(status(["pending", "submitted"]));
    expect(v3({ status: "pending" }).conditions).to.deep.equal(status(["pending"]));
  });

  // @spec requests-v2/chain-id
  it("chainId: is dropped once a chain of one direction is given", () => {
    const fields = (query: Readonly<Record<string, string>>) =>
      v3(query).conditions.map(({ field }) => field);
    expect(fields({ chainId: "1" })).to.deep.equal(["chainId"]);
    expect(fields({ chainId: "1", originChainId: "2" })).to.deep.equal(["originChainId"]);
    expect(fields({ chainId: "1", destinationChainId: "2" })).to.deep.equal(["destinationChainId"]);
  });

  it("an API key, an id and a limit: become the id of the key, lower case, and one more than a page", () => {
    const { conditions, limit } = v3({ apiKey: "secret", id: `0x${"AB".repeat(32)}`, limit: "20" });
    expect(conditions).to.deep.equal([
      { field: "id", negated: false, values: [`0x${"ab".repeat(32)}`] },
      { field: "apiKey", negated: false, values: ["id of secret"] },
    ]);
    expect(limit).to.equal(21);
  });

  // @spec requests-v3/filters requests-v3/term requests-v3/and
  it("filter groups and a term: are combined, each group with each meaning of the term", () => {
    const filters = JSON.stringify([{ status: "success" }, { "not:originChainId": 1 }]);
    const groups = v3({ filters, term: `0x${"a".repeat(40)}` }).groups.map((group) =>
      group.map(({ field, negated }) => `${negated ? "not " : ""}${field}`),
    );
    expect(groups).to.deep.equal([
      ["status", "user"],
      ["status", "depositAddress"],
      ["not originChainId", "user"],
      ["not originChainId", "depositAddress"],
    ]);
  });
});
