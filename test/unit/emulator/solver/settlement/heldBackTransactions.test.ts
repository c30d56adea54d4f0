import { expect } from "chai";
import { heldBackTransactions } from "../../../../../emulator/solver/settlement/heldBackTransactions.ts";
import type { TransactionRow } from "../../../../../emulator/store/tables.ts";
import { transactionRow } from "../../support/requests.ts";

describe("heldBackTransactions", () => {
  const row = (place: string, request_id: string, kind: TransactionRow["kind"]): TransactionRow => {
    const [chain_id = 0, nonce = 0] = place.split("/").map(Number);
    return { ...transactionRow({ chain_id, hash: place, kind, nonce, request_id }), id: nonce };
  };
  const hashesOf = (...rows: TransactionRow[]) => [...heldBackTransactions(rows)].map(({ hash }) => hash);

  it("holds back a payment whose request has a pending cancel, and no other transaction", () => {
    const cancel = row("2/4", "a", "cancel");
    expect(hashesOf(row("1/5", "a", "refund"), cancel, row("1/6", "b", "refund"))).to.deep.equal(["1/5"]);
    expect(hashesOf(row("1/5", "a", "fill"), cancel)).to.deep.equal(["1/5"]);
    expect(hashesOf(row("1/5", "a", "refund"), row("1/6", "b", "refund"))).to.deep.equal([]);
    expect(hashesOf(cancel)).to.deep.equal([]);
  });

  it("sends a payment at once whose cancel has a later nonce on the same chain", () => {
    expect(hashesOf(row("1/3", "a", "refund"), row("1/4", "a", "cancel"))).to.deep.equal([]);
    expect(hashesOf(row("1/4", "a", "cancel"), row("1/5", "a", "refund"))).to.deep.equal(["1/5"]);
  });

  it("holds back one payment only where two chains would wait for one another", () => {
    const rows = [
      row("1/5", "a", "refund"),
      row("1/6", "b", "cancel"),
      row("2/8", "b", "refund"),
      row("2/9", "a", "cancel"),
    ];
    expect(hashesOf(...rows)).to.deep.equal(["1/5"]);
  });
});
