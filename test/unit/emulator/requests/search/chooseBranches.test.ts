import { expect } from "chai";
import { insertRequest } from "../../../../../emulator/requests/insertRequest.ts";
import { chooseBranches } from "../../../../../emulator/requests/search/chooseBranches.ts";
import { rangePredicate } from "../../../../../emulator/requests/search/columnPredicates.ts";
import { predicatesOf } from "../../../../../emulator/requests/search/predicatesOf.ts";
import type { Condition, SearchField } from "../../../../../emulator/requests/search/SearchQuery.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";

import { forEachDialect } from "../../../../helpers/processes/stores.ts";
import { idOf, requestRow } from "../../support/requests.ts";

const is = (field: SearchField, value: number | string): Condition => ({
  field,
  negated: false,
  values: [value],
});

forEachDialect("chooseBranches", (kind) => {
  let store: Store;
  before(async () => {
    store = (await kind.open()).store;
    for (let index = 0; index < 40; index++) {
      const [recipient, status] = [index < 30 ? "0xaa" : "0xbb", index < 3 ? "refund" : "success"] as const;
      const row = requestRow({ id: idOf(index), order_id: idOf(100 + index), recipient, status });
      await insertRequest(store, { ...row, created_at: index });
    }
  });

  /** Search method of each branch: it gathers matches up to `fewRows`, or follows the order. */
  const choose = async (
    conditions: readonly Condition[],
    groups: readonly (readonly Condition[])[] = [],
    fewRows = 10,
  ) => {
    const all = await predicatesOf(store, conditions, { withChildren: false });
    const others = await Promise.all(
      groups.map((group) => predicatesOf(store, group, { outer: conditions, withChildren: false })),
    );
    const branches = await chooseBranches(store, { all, groups: others }, { fewRows, sort: "amount_usd" });
    return branches.map(({ isOrdered }) => (isOrdered ? "follow" : "gather"));
  };

  it("no condition, or only frequent ones: follows the order", async () => {
    expect(await choose([])).to.deep.equal(["follow"]);
    expect(await choose([is("recipient", "0xaa"), is("status", "success")])).to.deep.equal(["follow"]);
  });

  it("one rare condition among frequent ones: gathers what it matches", async () => {
    expect(await choose([is("recipient", "0xaa"), is("recipient", "0xbb")])).to.deep.equal(["gather"]);
    expect(await choose([is("recipient", "0xaa"), is("id", idOf(7))])).to.deep.equal(["gather"]);
  });

  it("more matches than few: gathers those of a wide index, ten times as many, and follows the order for others", async () => {
    expect(await choose([is("status", "refund")], [], 1)).to.deep.equal(["gather"]);
    expect(await choose([is("recipient", "0xbb")], [], 1)).to.deep.equal(["follow"]);
    expect(await choose([is("status", "refund")], [], 0.1)).to.deep.equal(["follow"]);
  });

  it("groups of which each has a rare condition: gathers each; with one that has none, follows the order", async () => {
    const [rare, named, frequent] = [is("recipient", "0xbb"), is("id", idOf(1)), is("recipient", "0xaa")];
    expect(await choose([], [[named, frequent], [named]])).to.deep.equal(["gather", "gather"]);
    expect(await choose([], [[rare, frequent], [frequent]])).to.deep.equal(["follow"]);
  });

  it("a route of no request: no branch", async () => {
    expect(await choose([is("originChainId", 1)])).to.deep.equal([]);
    expect(await choose([], [[is("originChainId", 1)], [is("requestType", "Wrap")]])).to.deep.equal([]);
    expect(await choose([is("chainId", 31_338)], [[is("destinationChainId", 31_339)]])).to.deep.equal([]);
  });

  it("a frequent condition whose index has the listing's order: follows that index", async () => {
    const all = [
      rangePredicate(store, { column: "amount_usd", from: 0 }),
      ...(await predicatesOf(store, [is("recipient", "0xaa")], { withChildren: false })),
    ];
    const [byAge] = await chooseBranches(store, { all, groups: [] }, { fewRows: 10, sort: "created_at" });
    const [byWorth] = await chooseBranches(store, { all, groups: [] }, { fewRows: 10, sort: "amount_usd" });
    expect([byAge?.isOrdered, byAge?.where[0]]).to.deep.equal([true, all[1]?.sources?.[0]?.where]);
    expect([byWorth?.isOrdered, byWorth?.where[0]]).to.deep.equal([true, all[0]?.sources?.[0]?.where]);
  });
});
