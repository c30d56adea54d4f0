import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { latestHead } from "../chains/rpc.ts";
import type { Context } from "../context/Context.ts";

/** Rounds without a change after which nothing more happens. */
const quietRounds = 2;

type Settled = {
  readonly context: Pick<Context, "chains" | "exchange" | "store">;
  readonly solver: {
    wake(): void;
    hold<Result>(work: () => Promise<Result>): Promise<Result>;
  };
};

/** Waits until rounds of the solver change nothing. @returns A digest of events, transactions, blocks and the exchange's ledger. */
export async function settleSolver({ context, solver }: Settled): Promise<string> {
  let [before, quiet] = ["", 0];
  while (quiet < quietRounds) {
    solver.wake();
    // The next round begins before the hold.
    await setImmediate();
    await setImmediate();
    const state = await solver.hold(() => stateOf(context));
    quiet = state === before && state !== "" ? quiet + 1 : 0;
    before = state;
  }
  return before;
}

/** Digest of the state; empty while a block was not announced yet. */
async function stateOf({ chains, exchange, store }: Settled["context"]): Promise<string> {
  const heads: string[] = [];
  for (const { head, rpc } of chains.values()) {
    const { hash } = await latestHead(rpc);
    if (hash !== head().hash) return "";
    heads.push(hash);
  }
  const events = await store
    .selectFrom("events")
    .select(["seq", "request_id", "status", "trigger", "at", "data"])
    .orderBy("seq", "desc")
    .limit(50)
    .execute();
  const deposits = await store.selectFrom("deposits").select(["id", "state"]).orderBy("id").execute();
  const transactions = await store
    .selectFrom("transactions")
    .select(["hash", "state"])
    .orderBy("hash")
    .execute();
  const cursors = await store.selectFrom("cursors").selectAll().orderBy("chain_id").execute();
  const ledger = exchange && (await ledgerOf(store));
  const text = JSON.stringify({ cursors, deposits, events, heads, ledger, transactions });
  return createHash("sha256").update(text).digest("hex");
}

/** Actions, balances and signed statements of the perps exchange. */
async function ledgerOf(store: Context["store"]) {
  return {
    actions: await store
      .selectFrom("exchange_actions")
      .select(["id", "hash", "at", "error"])
      .orderBy("id")
      .execute(),
    balances: await store
      .selectFrom("exchange_balances")
      .selectAll()
      .orderBy("account")
      .orderBy("currency")
      .execute(),
    mappings: await store.selectFrom("nonce_mappings").selectAll().orderBy("order_id").execute(),
  };
}
