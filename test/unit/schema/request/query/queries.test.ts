import { expect } from "chai";
import fc from "fast-check";
import * as z from "zod/mini";
import {
  filterConditions,
  filterFields,
  maxFiltersLength,
  requestFiltersQuerySchema,
  requestFiltersSchema,
} from "../../../../../src/schema/request/query/requestFilters.ts";
import { requestsV2QuerySchema } from "../../../../../src/schema/request/query/requestsV2Query.ts";
import { requestsV3QuerySchema } from "../../../../../src/schema/request/query/requestsV3Query.ts";
import { firstIssue } from "../../../../../src/schema/wire/firstIssue.ts";
import { issueOf, refusesAt } from "../../support/schemaChecks.ts";

describe("the queries of the listings", () => {
  const both: [string, z.ZodMiniType][] = [
    ["v2", requestsV2QuerySchema],
    ["v3", requestsV3QuerySchema],
  ];
  for (const [version, schema] of both) {
    // @spec requests-v2/limit requests-v3/limit limit/page-size requests-v2/sort-by requests-v3/sort-by
    it(`of ${version} have 20 requests a page by default, and 1 to 50`, () => {
      expect(schema.parse({})).to.deep.equal({ limit: 20, sortBy: "createdAt" });
      for (const limit of [1, 20, 50])
        expect(schema.parse({ limit: `${limit}` })).to.have.property("limit", limit);
      for (const limit of ["0", "51", "-1", "1.5", "1e1", " 5", "", "NaN", "9999999999999999", 20]) {
        expect(issueOf(schema, { limit }).path, String(limit)).to.equal("limit");
      }
    });

    // @spec requests-v2/private-chains requests-v3/private-chains
    it(`of ${version} read numbers, flags and lists, and keep unknown fields`, () => {
      const query = {
        brandNew: "1",
        chainId: "10",
        includeAuthenticatedData: "false",
        includeChildRequests: "true",
        privateChainsToInclude: "a, b",
        startTimestamp: "0",
      };
      expect(schema.parse(query)).to.deep.include({
        brandNew: "1",
        chainId: 10,
        includeAuthenticatedData: false,
        includeChildRequests: true,
        privateChainsToInclude: ["a", "b"],
        startTimestamp: 0,
      });
    });

    // @spec requests-v2/status requests-v3/status requests-v2/sort-direction requests-v2/sort-by
    it(`of ${version} refuse values that do not exist`, () => {
      const invalid = { sortBy: "price", sortDirection: "down", status: "submitted", user: "" };
      for (const [field, value] of Object.entries({ ...invalid, includeChildRequests: "yes" })) {
        refusesAt(schema, [[{ [field]: value }, field]]);
      }
    });
  }

  // @spec requests-v3/features requests-v3/reasons requests-v3/sort-by requests-v3/request-type
  it("of v3 take what only v3 has", () => {
    const query = {
      amountUsdMax: "0.5",
      apiKey: "key1,key2",
      failReason: "SLIPPAGE",
      features: "fast_fill,app_fees",
      fillTimeMin: "3",
      requestType: "crosschain swap",
      sortBy: "amountUsd",
      term: "0xabc",
    };
    expect(requestsV3QuerySchema.parse(query)).to.deep.include({
      amountUsdMax: 0.5,
      apiKey: ["key1", "key2"],
      features: ["fast_fill", "app_fees"],
      fillTimeMin: 3,
      requestType: "Crosschain Swap",
      sortBy: "amountUsd",
    });
    refusesAt(requestsV3QuerySchema, [
      [{ features: "fast_fill,moon" }, "features.1"],
      [{ failReason: "MOON" }, "failReason"],
      [{ requestType: "Moon" }, "requestType"],
    ]);
    refusesAt(requestsV2QuerySchema, [[{ sortBy: "amountUsd" }, "sortBy"]]);
  });
});

describe("the filters of v3", () => {
  // @spec requests-v3/filters requests-v3/filters-list requests-v3/filters-not
  it("are groups as JSON, with lists and negations", () => {
    const text =
      '[{"depositAddress":"0xabc","originChainId":8453},{"not:status":["failure","refund"],"requestType":"bridge"}]';
    const groups = requestFiltersQuerySchema.parse(text);
    expect(groups).to.deep.equal([
      { depositAddress: "0xabc", originChainId: 8453 },
      { "not:status": ["failure", "refund"], requestType: "Bridge" },
    ]);
    expect(groups.map(filterConditions)).to.deep.equal([
      [
        { field: "depositAddress", negated: false, values: ["0xabc"] },
        { field: "originChainId", negated: false, values: [8453] },
      ],
      [
        { field: "not:status".slice(4), negated: true, values: ["failure", "refund"] },
        { field: "requestType", negated: false, values: ["Bridge"] },
      ],
    ]);
  });

  // @spec requests-v3/filters-fields requests-v3/no-hash
  it("refuse what exists at the top level only, negated too", () => {
    const ranges = ["startTimestamp", "endBlock", "amountUsdMin", "appFeesAmountUsdMax", "fillTimeMin"];
    const others = ["features", "term", "limit", "filters", "sortBy", "hash", "referrer"];
    for (const field of [...ranges, ...others]) {
      for (const key of [field, `not:${field}`]) {
        const { path, reason } = issueOf(requestFiltersSchema, [{ [key]: "1", status: "failure" }]);
        expect([path, reason]).to.deep.equal(["0", `no such field: "${key}"`]);
      }
    }
  });

  it("refuse groups and lists that say nothing, and values of another type", () => {
    const cases: [unknown, string][] = [
      [[], ""],
      [{}, ""],
      [[{}], "0"],
      [[{ status: [] }], "0.status"],
      [[{ status: "paused" }], "0.status"],
      [[{ originChainId: "8453" }], "0.originChainId"],
      [[{ user: null }], "0.user"],
      [[{ "not:not:user": "0x" }], "0"],
    ];
    refusesAt(requestFiltersSchema, cases);
  });

  it("refuse text that is not JSON or too long, without a word of it", () => {
    expect(issueOf(requestFiltersQuerySchema, "[{secret").reason).to.equal("not JSON");
    const long = `["${"a".repeat(maxFiltersLength)}"]`;
    expect(issueOf(requestFiltersQuerySchema, long).reason).to.include("more than");
  });

  // @spec requests-v3/filters-fields requests-v3/filters-not requests-v3/filters-list
  it("take every field alone, in a list and negated", () => {
    const samples: Record<string, unknown> = {
      failReason: "SLIPPAGE",
      refundFailReason: "N/A",
      requestType: "Call",
      status: "pending",
    };
    for (const field of Object.keys(filterFields)) {
      const value = samples[field] ?? (/ChainId$|^chainId$/.test(field) ? 1 : "0xabc");
      const groups = [
        { [field]: value },
        { [field]: [value] },
        { [`not:${field}`]: value },
        { [`not:${field}`]: [value] },
      ];
      expect(requestFiltersSchema.parse(groups)).to.deep.equal(groups);
    }
  });

  it("give a typed answer to anything", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { error } = z.safeParse(requestFiltersQuerySchema, text);
        return error === undefined || firstIssue(error).reason !== "";
      }),
    );
  });
});
