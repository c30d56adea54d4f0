import { expect } from "chai";
import type { Updateable } from "kysely";
import { insertRequest } from "../../../../../emulator/requests/insertRequest.ts";
import type {
  Condition,
  Range,
  SearchField,
  SearchPlace,
  SearchQuery,
} from "../../../../../emulator/requests/search/SearchQuery.ts";
import { withSearchFacts } from "../../../../../emulator/requests/search/searchFacts.ts";
import { searchRequests } from "../../../../../emulator/requests/search/searchRequests.ts";
import type { Store, Tables } from "../../../../../emulator/store/tables.ts";

import { forEachDialect } from "../../../../helpers/processes/stores.ts";
import { addDeposit, addEvent, addTransaction } from "../../support/requests.ts";
import { naiveSearch } from "./naiveSearch.ts";
import {
  addresses,
  hashOf,
  idOf,
  keyIds,
  orderIdOf,
  picker,
  type Sample,
  samples,
  seeded,
  someFeatures,
} from "./support.ts";

const count = 1_500;
const everything: SearchQuery = {
  conditions: [],
  features: [],
  groups: [],
  limit: 21,
  ranges: [],
  sort: { column: "created_at", direction: "desc" },
  withChildren: false,
};
const is = (field: SearchField, ...values: (number | string)[]): Condition => ({
  field,
  negated: false,
  values,
});

forEachDialect("searchRequests", (kind) => {
  const all = samples(count, 1);
  let store: Store;
  before(async () => {
    store = (await kind.open()).store;
    for (const id of keyIds) {
      const key = { created_at: 0, id, is_elevated: 0 as const, key: id, name: id, revoked_at: null };
      await store.insertInto("api_keys").values(key).execute();
    }
    await insert(store, all);
  });

  for (const [title, fewRows] of [
    ["every index that fits is used", undefined],
    ["only indexes with up to 30 matches are used", 30],
    ["only the order's index is used", 0],
  ] as const) {
    // @spec requests-v3/and requests-v3/term requests-v3/ids requests-v3/tx-hashes requests-v3/chains
    // @spec requests-v3/addresses requests-v3/status requests-v3/reasons requests-v3/api-key
    // @spec requests-v3/request-type requests-v3/currency-chains requests-v3/currency-addresses
    // @spec requests-v3/currency-symbols requests-v3/timestamps requests-v3/blocks requests-v3/amounts
    // @spec requests-v3/app-fee-amounts requests-v3/fill-time requests-v3/features
    // @spec requests-v3/child-requests requests-v3/filters requests-v3/filters-not requests-v3/filters-list
    // @spec requests-v2/user requests-v2/hash requests-v2/chains requests-v2/chain-id requests-v2/order-id
    // @spec requests-v2/deposit-address requests-v2/child-requests requests-v2/blocks requests-v2/referrer
    it(`random queries, where ${title}: places and totals equal those of a check of every request`, async () => {
      const random = seeded(7);
      for (let i = 0; i < 150; i++) {
        const query = randomQuery(random);
        const wantsTotal = random() < 0.3;
        const found = await searchRequests(store, query, { fewRows, wantsTotal });
        const { after: _, ...everyPage } = query;
        const expected = {
          places: naiveSearch(all, query),
          total: wantsTotal ? naiveSearch(all, { ...everyPage, limit: count }).length : undefined,
        };
        expect(found, JSON.stringify(query)).to.deep.equal(expected);
      }
    });
  }

  // @spec requests-v3/page requests-v2/continuation requests-v3/sort-by requests-v2/sort-direction
  it("pages of every sort and direction: give every request once, in order", async () => {
    for (const column of ["created_at", "updated_at", "amount_usd"] as const) {
      for (const direction of ["asc", "desc"] as const) {
        const query = {
          ...everything,
          groups: [[is("status", "success")], [is("user", addresses[0] ?? "")]],
          limit: 50,
          sort: { column, direction },
        };
        const expected = naiveSearch(all, { ...query, limit: count }).map(({ id }) => id);
        expect(await allPages(store, query)).to.deep.equal(expected);
      }
    }
  });

  it("a total: counts all matches from any page, and only on demand", async () => {
    const few = { ...everything, conditions: [is("status", "failure"), is("originChainId", 31337)] };
    const expected = naiveSearch(all, { ...few, limit: count });
    const totalOf = async (query: SearchQuery, wantsTotal = true) =>
      (await searchRequests(store, query, { wantsTotal })).total;
    expect(await totalOf({ ...few, after: expected[3] })).to.equal(expected.length);
    expect(await totalOf(few, false)).to.equal(undefined);
    expect(await totalOf(everything)).to.equal(count);
  });

  const found = async (query: SearchQuery) => (await searchRequests(store, query)).places.map(({ id }) => id);

  it("a signed fill: finds its request, and once a cancel replaced the fill, only if it is mined", async () => {
    const id = idOf(9);
    const hash = "0xsigned";
    const query = { ...everything, conditions: [is("txHash", hash)] };
    const set = (columns: Updateable<Tables["transactions"]>) =>
      store.updateTable("transactions").set(columns).where("hash", "=", hash).execute();
    await addDeposit(store, { request_id: id });
    await addTransaction(store, { hash, request_id: id });
    const cancel = await addTransaction(store, { hash: "0xcancel", kind: "cancel", request_id: id });
    expect(await found(query)).to.deep.equal([id]);
    await set({ replaced_by: cancel });
    expect(await found(query)).to.deep.equal([]);
    await set({ state: "mined" });
    expect(await found(query)).to.deep.equal([id]);
  });

  for (const column of ["created_at", "updated_at"] as const) {
    it(`requests added and changed between pages by ${column}: every unchanged one is listed once`, async () => {
      const query = { ...everything, limit: 40, sort: { column, direction: "desc" as const } };
      const changed = new Set<string>();
      const added = samples(2_000, 99).slice(count);
      const ids = await allPages(store, query, async () => {
        const turn = changed.size / 2 + 1;
        const next = added.shift();
        if (next === undefined) return;
        const id = `0x${column === "created_at" ? "a" : "b"}${String(turn).padStart(63, "0")}`;
        await insertRequest(store, { ...next.row, id, order_id: `${column}${turn}`, parent_id: null });
        const other = idOf(turn * 29);
        for (const each of [id, other]) changed.add(each);
        await change(store, other, { updated_at: 9_000_000 + turn });
      });
      const unchanged = all.map(({ row }) => row.id).filter((id) => !changed.has(id));
      const times = Map.groupBy(ids, (id) => id);
      for (const id of unchanged) expect(times.get(id)?.length, id).to.equal(1);
    });
  }
});

/** Changes a request with its event. */
async function change(store: Store, id: string, columns: Updateable<Tables["requests"]>): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await transaction.updateTable("requests").set(columns).where("id", "=", id).execute();
    await addEvent(transaction, { request_id: id, status: columns.status ?? "waiting" });
  });
}

/** Inserts parents before their children. */
async function insert(store: Store, all: readonly Sample[]): Promise<void> {
  const isChild = ({ row }: Sample) => Number(row.parent_id !== null);
  const ordered = all.toSorted((a, b) => isChild(a) - isChild(b));
  for (let i = 0; i < ordered.length; i += 100) {
    const part = ordered.slice(i, i + 100);
    await store.transaction().execute(async (transaction) => {
      const rows = await withSearchFacts(transaction, part);
      await transaction.insertInto("requests").values(rows).execute();
    });
    const features = part.flatMap((one) =>
      one.features.map((feature) => ({ feature, request_id: one.row.id })),
    );
    await store.insertInto("request_features").values(features).execute();
    const hashes = part.flatMap((one) => one.hashes.map((hash) => ({ ...hash, request_id: one.row.id })));
    await store.insertInto("request_hashes").values(hashes).execute();
  }
}

async function allPages(store: Store, query: SearchQuery, between = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  let after: SearchPlace | undefined;
  for (;;) {
    const { places: page } = await searchRequests(store, { ...query, after });
    ids.push(...page.map(({ id }) => id));
    after = page.at(-1);
    if (page.length < query.limit || after === undefined) return ids;
    await between();
  }
}

function randomQuery(random: () => number): SearchQuery {
  const pick = picker(random);
  const some = <Value>(most: number, make: () => Value): Value[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  const condition = (): Condition => {
    const field = pick(Object.keys(values) as (keyof typeof values)[]);
    const own = values[field] ?? [];
    return { field, negated: random() < 0.25, values: [pick(own), ...some(2, () => pick(own))] };
  };
  const range = (): Range => {
    const column = pick(Object.keys(ends) as (keyof typeof ends)[]);
    const [low, high] = ends[column];
    const from = Math.floor(low + random() * (high - low));
    const shape = random();
    return {
      column,
      from: shape < 0.7 ? from : undefined,
      to: shape > 0.3 ? from + Math.floor((high - low) / 3) : undefined,
    };
  };
  const place = { id: idOf(Math.floor(random() * count)), value: 1_000_000 + Math.floor(random() * 20_000) };
  return {
    after: random() < 0.3 ? place : undefined,
    conditions: some(2, condition),
    features: random() < 0.15 ? [pick(someFeatures)] : [],
    groups: random() < 0.4 ? some(3, () => [condition(), ...some(1, condition)]) : [],
    limit: pick([1, 5, 21, 51]),
    ranges: random() < 0.4 ? some(2, range) : [],
    sort: { column: pick(["created_at", "updated_at", "amount_usd"]), direction: pick(["asc", "desc"]) },
    withChildren: random() < 0.3,
  };
}

const ends = {
  amount_usd: [0, 12_000_000],
  app_fees_usd: [0, 5_000],
  created_at: [1_000_000, 1_020_000],
  fill_time_ms: [0, 4_000],
  origin_block: [0, 20],
} as const;

const values: Readonly<Partial<Record<SearchField, readonly (number | string)[]>>> = {
  apiKey: keyIds,
  chainId: [31337, 31338, 31339, 1],
  currencyInAddress: [
    "0x0000000000000000000000000000000000000000",
    "0xaaaa000000000000000000000000000000000002",
  ],
  currencyInChainId: [31337, 31338],
  currencyInSymbol: ["eth", "USDC", "Usdt", "DAI"],
  currencyOutAddress: ["0xaaaa000000000000000000000000000000000001", "0xbb"],
  currencyOutChainId: [31338, 31339],
  currencyOutSymbol: ["ETH", "usdc"],
  depositAddress: addresses,
  depositTxHash: [hashOf(3), hashOf(50), hashOf(700)],
  destinationChainId: [31337, 31338, 31339],
  failReason: ["SLIPPAGE", "UNKNOWN", "N/A", "DOUBLE_SPEND", "TTL_EXPIRED"],
  fillTxHash: [hashOf(4), hashOf(51)],
  id: [idOf(1), idOf(4), idOf(900), "0x"],
  orderId: [orderIdOf(5)],
  originChainId: [31337, 31338, 31339],
  recipient: addresses,
  referrer: ["app-one", "app-two"],
  refundFailReason: ["AMOUNT_TOO_LOW_TO_REFUND", "N/A"],
  refundTxHash: [hashOf(5), hashOf(52)],
  requestType: ["Bridge", "Send", "Wrap"],
  status: ["success", "failure", "refund", "pending"],
  txHash: [hashOf(6), hashOf(53), hashOf(54)],
  user: addresses,
};
