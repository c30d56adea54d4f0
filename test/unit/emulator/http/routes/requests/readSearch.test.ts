import { expect } from "chai";
import { InvalidRequestError } from "../../../../../../emulator/http/body/readBody.ts";
import {
  readSearchV2,
  readSearchV3,
  writeCursor,
} from "../../../../../../emulator/http/routes/requests/readSearch.ts";
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

  // @spec requests-v3/blocks requests-v2/blocks requests-v3/amounts requests-v3/app-fee-amounts
  // @spec requests-v3/fill-time
  it("blocks, dollars and seconds: become ranges in the units of their columns", () => {
    const ranges = {
      amountUsdMax: "0.5",
      amountUsdMin: "0.25",
      appFeesAmountUsdMax: "2",
      appFeesAmountUsdMin: "1",
      endBlock: "9",
      fillTimeMax: "3",
      fillTimeMin: "1.5",
      startBlock: "7",
    };
    const blocks = { column: "origin_block", from: 7, to: 9 };
    expect(v3(ranges).ranges).to.deep.equal([
      blocks,
      { column: "amount_usd", from: 250_000, to: 500_000 },
      { column: "app_fees_usd", from: 1_000_000, to: 2_000_000 },
      { column: "fill_time_ms", from: 1_500, to: 3_000 },
    ]);
    const { endBlock, startBlock } = ranges;
    expect(v2({ endBlock, startBlock }).ranges).to.deep.equal([blocks]);
    expect(v3({ startBlock }).ranges).to.deep.equal([{ column: "origin_block", from: 7, to: undefined }]);
  });

  // @spec requests-v3/ids requests-v3/tx-hashes requests-v3/chains requests-v3/addresses requests-v3/status
  // @spec requests-v3/reasons requests-v3/request-type requests-v3/currency-chains
  // @spec requests-v3/currency-addresses requests-v3/currency-symbols requests-v3/features
  // @spec requests-v3/child-requests requests-v2/user requests-v2/hash requests-v2/chains requests-v2/id
  // @spec requests-v2/order-id requests-v2/referrer requests-v2/deposit-address requests-v2/child-requests
  it("every other parameter: becomes the condition of its name", () => {
    const wallet = `0x${"ab".repeat(20)}`;
    const both = { depositAddress: wallet, id: "0x01", orderId: "0x02", status: "success", user: wallet };
    const chains = { destinationChainId: "31338", originChainId: "31337" };
    const only = {
      ...{ currencyInAddress: wallet, currencyInChainId: "31337", currencyInSymbol: "ETH" },
      ...{ currencyOutAddress: wallet, currencyOutChainId: "31338", currencyOutSymbol: "USDC" },
      ...{ depositTxHash: "0x03", failReason: "SLIPPAGE", fillTxHash: "0x04", recipient: wallet },
      ...{ refundFailReason: "N/A", refundTxHash: "0x05", requestType: "Bridge" },
    };
    const expected = (query: Readonly<Record<string, string>>) =>
      Object.entries(query).map(([field, value]) => ({
        field,
        negated: false,
        values: [/ChainId$/.test(field) ? Number(value) : value],
      }));
    const query = { ...both, ...chains, ...only };
    expect(v3(query).conditions).to.have.deep.members(expected(query));
    const { user, ...byName } = { ...both, ...chains, referrer: "app" };
    expect(v2({ ...byName, user }).conditions).to.have.deep.members(expected(byName));
    expect(v2({ ...byName, user }).groups).to.deep.equal([
      expected({ user }),
      expected({ depositAddress: user }),
    ]);
    expect(v2({ hash: "0xAB" }).conditions).to.deep.equal([
      { field: "txHash", negated: false, values: ["0xab"] },
    ]);
    expect(v3({ features: "app_fees,fast_fill" }).features).to.deep.equal(["app_fees", "fast_fill"]);
    for (const each of [v2({ includeChildRequests: "true" }), v3({ includeChildRequests: "true" })]) {
      expect(each.withChildren).to.equal(true);
    }
  });

  // @spec requests-v2/continuation requests-v3/page version/v3-pages
  it("a cursor: is the place after which a page of either version begins", () => {
    const place = { id: `0x${"ab".repeat(32)}`, value: 1_700_000_000_000 };
    const continuation = writeCursor({ column: "created_at", direction: "desc" }, place);
    expect([v2({ continuation }).after, v3({ continuation }).after]).to.deep.equal([place, place]);
    expect(() => v2({ continuation, sortBy: "updatedAt" })).to.throw(InvalidRequestError, "another order");
    expect(() => v2({ continuation: "x" })).to.throw(InvalidRequestError, "not a cursor");
  });

  // @spec requests-v3/sort-direction requests-v3/sort-by requests-v2/sort-by requests-v2/sort-direction
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

  // @spec state/listing requests-v2/status
  it("status pending: includes submitted in version 2 and not in version 3", () => {
    const status = (values: readonly string[]) => [{ field: "status", negated: false, values }];
    expect(v2({ status: "pending" }).conditions).to.deep.equal(status(["pending", "submitted"]));
    expect(v3({ status: "pending" }).conditions).to.deep.equal(status(["pending"]));
  });

  // @spec requests-v2/chain-id
  it("chainId: is dropped once a chain of one direction is given", () => {
    for (const read of [v2, v3]) {
      const fields = (query: Readonly<Record<string, string>>) =>
        read(query).conditions.map(({ field }) => field);
      expect(fields({ chainId: "1" })).to.deep.equal(["chainId"]);
      expect(fields({ chainId: "1", originChainId: "2" })).to.deep.equal(["originChainId"]);
      expect(fields({ chainId: "1", destinationChainId: "2" })).to.deep.equal(["destinationChainId"]);
    }
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
