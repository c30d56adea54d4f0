import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { moveDeposit, storeDeposit } from "../../../../../emulator/solver/deposits/depositRows.ts";
import {
  type DepositTrigger,
  depositTransitions,
  depositTriggers,
} from "../../../../../emulator/solver/deposits/depositTransitions.ts";
import { paymentTransitions, paymentTriggers } from "../../../../../emulator/solver/paymentRows.ts";
import { relayedTransitions, relayedTriggers } from "../../../../../emulator/solver/relayedRows.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";
import { readFiles } from "../../../../../scripts/checks/repository.ts";
import { root } from "../../../../../scripts/checks/runTool.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { importAnew } from "../../../../helpers/importAnew.ts";
import { addDeposit, addRequest, depositRow, emptyStore, readAll } from "../../support/requests.ts";

/** States that lead from a new row, by any transitions. */
function reachable(transitions: Readonly<Record<string, object>>, from = "new", seen = new Set<string>()) {
  for (const next of Object.values(transitions[from] ?? {})) {
    if (!seen.has(next)) reachable(transitions, next, seen.add(next));
  }
  return seen;
}

describe("the states of deposits and of payments to deposit addresses", () => {
  for (const [name, transitions, triggers] of [
    ["deposits", depositTransitions, depositTriggers],
    ["payments", paymentTransitions, paymentTriggers],
    ["relayed deposits", relayedTransitions, relayedTriggers],
  ] as const) {
    it(`${name}: each state is reached from a new row, and each trigger happens in some state`, () => {
      expect([...reachable(transitions), "new"]).to.have.members(Object.keys(transitions));
      const used = new Set(Object.values(transitions).flatMap((allowed) => Object.keys(allowed)));
      expect([...used]).to.have.members(Object.keys(triggers));
    });
  }

  it("deposits: have the transitions that the page of the lifecycle states, and no other", async () => {
    const path = "../../../../../emulator/solver/deposits/depositTransitions.ts";
    type Module = typeof import("../../../../../emulator/solver/deposits/depositTransitions.ts");
    const { depositTransitions } = await importAnew<Module>(path, import.meta.url);
    const page = readFileSync(join(root, "docs/explanation/lifecycle.md"), "utf8");
    const table = page.slice(page.indexOf("<!-- deposits:"), page.indexOf("<!-- end of the deposits"));
    const rows = table.matchAll(/^\| (`.*`) \| `(.*?)` \| .* \| `(.*)` \|$/gm);
    const stated = [...rows].flatMap(([, from = "", trigger, to]) =>
      from.split(", ").map((state) => `${state.slice(1, -1)} ${trigger} ${to}`),
    );
    const allowed = Object.entries(depositTransitions).flatMap(([state, next]) =>
      Object.entries(next).map(([trigger, to]) => `${state} ${trigger} ${to}`),
    );
    expect(allowed).to.have.members(stated);
  });

  for (const [table, owner] of [
    ["deposits", "emulator/solver/deposits/depositRows.ts"],
    ["address_payments", "emulator/solver/paymentRows.ts"],
    ["relayed_deposits", "emulator/solver/relayedRows.ts"],
  ] as const) {
    it(`only its own file writes ${table}`, () => {
      const writes = new RegExp(`(?:updateTable|insertInto|deleteFrom)\\(\\s*"${table}`);
      const writers = readFiles(".ts").filter(
        ({ path, text }) => path.startsWith("emulator/") && writes.test(text),
      );
      expect(writers.map(({ path }) => path)).to.deep.equal([owner]);
    });
  }

  it("only one file writes the status of a request that exists", () => {
    const writes = /updateTable\("requests"\)\s*\.set\((?:[^;](?!\.where))*?\bstatus:/;
    const writers = readFiles(".ts").filter(
      ({ path, text }) => path.startsWith("emulator/") && writes.test(text),
    );
    expect(writers.map(({ path }) => path)).to.deep.equal(["emulator/requests/applyTrigger.ts"]);
  });
});

describe("a write of a deposit's row", () => {
  let store: Store;
  beforeEach(async () => {
    store = await emptyStore();
    await addRequest(store);
  });
  afterEach(() => store.destroy());

  const move = (row: Parameters<typeof moveDeposit>[1], trigger: DepositTrigger) =>
    store.transaction().execute((transaction) => moveDeposit(transaction, row, trigger, null));
  const stateOf = async () => (await readAll(store, "deposits"))[0]?.state;

  it("a refund of a deposit whose fill is signed: throws, and changes nothing", async () => {
    await addDeposit(store, { state: "fill-signed" });
    expect(String(await failureOf(move(depositRow(), "refund-signed")))).to.include(
      "refund-signed cannot happen to a deposit that is fill-signed",
    );
    expect(await stateOf()).to.equal("fill-signed");
  });

  it("a fill of a deposit that another process moved meanwhile: throws, and changes nothing", async () => {
    await addDeposit(store, { state: "vanished" });
    expect(String(await failureOf(move(depositRow({ state: "fill-due" }), "fill-signed")))).to.include(
      "it is no longer fill-due",
    );
    expect(await stateOf()).to.equal("vanished");
  });

  it("a deposit that returns, and that another process moved meanwhile: throws, and changes nothing", async () => {
    await addDeposit(store, { state: "fill-due" });
    const { state: _, ...values } = depositRow();
    const known = depositRow({ state: "vanished" });
    const storing = store
      .transaction()
      .execute((transaction) => storeDeposit(transaction, known, "refused", { ...values, amount: "7" }));
    expect(String(await failureOf(storing))).to.include("it is no longer vanished");
    expect((await readAll(store, "deposits"))[0]).to.include({
      amount: depositRow().amount,
      state: "fill-due",
    });
  });
});
