import { expect } from "chai";
import { allOf, anyOf, not, type RequestFilterGroup } from "../../../src/client/index.ts";

/** Top-level parameters that no group accepts. */
type TopLevelOnly = "features" | "startTimestamp" | "not:amountUsdMin" | "term" | "limit";
const noneOfThem: Extract<keyof RequestFilterGroup, TopLevelOnly> extends never ? true : false = true;

describe("the builder of filters", () => {
  it("builds groups, merges their parts and negates fields", () => {
    const groups = anyOf(
      { depositAddress: "0xabc", originChainId: 8453 },
      allOf({ destinationChainId: [1, 10] }, not({ requestType: "Call", status: ["failure", "refund"] })),
    );
    expect(groups).to.deep.equal([
      { depositAddress: "0xabc", originChainId: 8453 },
      { destinationChainId: [1, 10], "not:requestType": "Call", "not:status": ["failure", "refund"] },
    ]);
  });

  it("rejects top-level parameters in a group, at compile time and at run time", () => {
    expect(noneOfThem).to.equal(true);
    for (const field of ["features", "startTimestamp", "amountUsdMin", "term"]) {
      const group = { [field]: 1 } as RequestFilterGroup;
      expect(() => anyOf(group)).to.throw(`Parameter \`filters.0\` is invalid: no such field: "${field}"`);
      expect(() => anyOf(not(group as never))).to.throw(`"not:${field}"`);
    }
  });

  it("rejects a repeated field, a double negation and an empty group", () => {
    expect(() => allOf({ user: "a" }, { user: "b" })).to.throw("`parts.user` is invalid: it is in two parts");
    expect(() => not({ "not:user": "a" } as never)).to.throw("`not:user` is invalid: already negated");
    expect(() => anyOf({})).to.throw("a group without a field");
    expect(() => anyOf()).to.throw("`filters` is invalid");
  });

  it("keeps a field named __proto__ as a field, without effect on the prototype", () => {
    const group = allOf(JSON.parse('{"__proto__":{"status":"failure"}}'), { user: "a" });
    expect(group).to.not.have.property("status");
    expect(Object.keys(group)).to.deep.equal(["__proto__", "user"]);
  });
});
