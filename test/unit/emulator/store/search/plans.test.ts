import { expect } from "chai";
import { CompiledQuery, type KyselyPlugin } from "kysely";
import { openStore, type Store } from "../../../../../emulator/store/openStore.ts";
import type {
  Range,
  RangeColumn,
  SearchField,
  SearchQuery,
  SortColumn,
} from "../../../../../emulator/store/search/SearchQuery.ts";
import { type SearchLimits, searchRequests } from "../../../../../emulator/store/search/searchRequests.ts";
import { keyIds, samples } from "./support.ts";

const fields: readonly SearchField[] = [
  "id",
  "orderId",
  "depositTxHash",
  "fillTxHash",
  "refundTxHash",
  "txHash",
  "user",
  "recipient",
  "depositAddress",
  "apiKey",
  "referrer",
  "originChainId",
  "destinationChainId",
  "chainId",
  "currencyInChainId",
  "currencyOutChainId",
  "currencyInAddress",
  "currencyOutAddress",
  "currencyInSymbol",
  "currencyOutSymbol",
  "status",
  "failReason",
  "refundFailReason",
  "requestType",
];
const rangeColumns: readonly RangeColumn[] = [
  "created_at",
  "updated_at",
  "amount_usd",
  "app_fees_usd",
  "fill_time_ms",
  "origin_block",
];
const columns: readonly SortColumn[] = ["created_at", "updated_at", "amount_usd"];
const directions = ["asc", "desc"] as const;

/** Every search that has one condition, in every order. */
function searches(): readonly (readonly [string, SearchQuery])[] {
  const conditions = fields.flatMap((field) => [
    { conditions: [{ field, negated: false, values: ["a"] }], name: field },
    { conditions: [{ field, negated: false, values: ["a", "b"] }], name: `${field}, one of two` },
    { conditions: [{ field, negated: true, values: ["a"] }], name: `not:${field}` },
  ]);
  const ranges = rangeColumns.map((column) => ({
    name: column,
    ranges: [{ column, from: 1, to: 9 } as Range],
  }));
  const parts = [{ name: "nothing" }, ...conditions, ...ranges, { features: ["app_fees"], name: "features" }];
  return parts.flatMap(({ name, ...part }) =>
    columns.flatMap((column) =>
      directions.map((direction) => {
        const query: SearchQuery = {
          conditions: [],
          features: [],
          groups: [],
          limit: 20,
          ranges: [],
          sort: { column, direction },
          withChildren: true,
          ...part,
        };
        return [`${name} by ${column} ${direction}`, query] as const;
      }),
    ),
  );
}

/** Each try of a search is reached with one of these. */
const tries: readonly SearchLimits[] = [
  { longSteps: 2, mostShapes: 400, shortSteps: 1, smallSets: [1, 2] },
  { longSteps: 2, mostShapes: 1, shortSteps: 1, smallSets: [1, 2] },
  { longSteps: 2, mostShapes: 1, shortSteps: 1, smallSets: [500, 1_000] },
];

type Plan = { readonly sql: string; readonly steps: readonly string[] };

/** A store that also gives the plans of the statements that were run on it. */
function planning(store: Store): { readonly store: Store; plans(): Promise<readonly Plan[]> } {
  const seen: CompiledQuery[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      seen.push(store.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    plans: async () => {
      const plans: Plan[] = [];
      for (const { parameters, sql } of seen.splice(0)) {
        const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
        const { rows } = await store.executeQuery<{ detail: string }>(explained);
        plans.push({ sql, steps: rows.map(({ detail }) => detail) });
      }
      return plans;
    },
    store: store.withPlugin(plugin),
  };
}

/** How often requests are read in no order that an index has. What was found already has the same name, and is read once. */
function wholeReads({ sql, steps }: Plan): number {
  if (!/ requests [ro]\b/.test(sql)) return 0;
  const found = steps.some((step) => step.startsWith("MATERIALIZE r")) ? 1 : 0;
  return steps.filter((step) => /^SCAN [ro]\b(?!.* USING )/.test(step)).length - found;
}

/** Sorts of rows that are neither merged from ranges, nor found already, nor read from an index alone. */
function sortsOfWalks({ sql, steps }: Plan): number {
  if (/json_each|materialized/.test(sql)) return 0;
  if (steps.some((step) => /^(?:SEARCH|SCAN) r USING COVERING INDEX/.test(step))) return 0;
  return steps.filter((step) => step.includes("TEMP B-TREE FOR ORDER BY")).length;
}

describe("the plans of searches", () => {
  it("never read the requests from end to end, nor sort what must be read for it, for any condition in any order", async () => {
    const { close, store } = await openStore(":memory:");
    try {
      const keys = keyIds.map(
        (id) => ({ created_at: 0, id, is_elevated: 0, key: id, name: id, revoked_at: null }) as const,
      );
      await store.insertInto("api_keys").values(keys).execute();
      const rows = samples(200, 1).map(({ row }) => ({ ...row, parent_id: null }));
      await store.insertInto("requests").values(rows).execute();
      const planned = planning(store);
      let explained = 0;
      for (const limits of tries) {
        for (const [name, query] of searches()) {
          await searchRequests(planned.store, query, { limits });
          for (const plan of await planned.plans()) {
            explained++;
            const shown = `${name}: ${plan.sql}\n${plan.steps.join("\n")}`;
            expect([wholeReads(plan), sortsOfWalks(plan)], shown).to.deep.equal([0, 0]);
          }
        }
      }
      expect(explained).to.be.greaterThan(searches().length * tries.length);
    } finally {
      await close();
    }
  }).timeout(60_000);
});
