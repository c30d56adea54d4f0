import { expect } from "chai";
import { claimPayment, paymentLedger, releasePayment } from "../../../src/execute/paymentLedger.ts";

/** What the ledger allows the clocks of callers to be wrong by, in milliseconds. */
const day = 86_400_000;

const claim = (ids: readonly string[], now = 0, deadline?: number) => claimPayment({ deadline, ids, now });

describe("paymentLedger", () => {
  beforeEach(() => paymentLedger.clear());
  after(() => paymentLedger.clear());

  it("P7: one of two claims holds a payment, by either id and in any letter case", () => {
    claim(["0xAA", "0x01"]);
    for (const ids of [["0xaa"], ["0xBB", "0x01"], ["0xaA", "0x02"]]) {
      expect(() => claim(ids), ids.join())
        .to.throw()
        .with.property("code", "PAYMENT_CLAIMED");
    }
    expect(claim(["0xcc", "0x02"]).record).to.equal(undefined);
  });

  it("a claim released without a record: is forgotten, and the payment is free", () => {
    const first = claim(["0xaa", "0x01"]);
    releasePayment(first);
    expect(paymentLedger.size).to.equal(0);
    expect(claim(["0xaa", "0x01"])).to.not.equal(first);
  });

  it("P7: a claim released with a record: the next holder gets the record, and ids of two payments are refused", () => {
    const [first, other] = [claim(["0xaa", "0x01"]), claim(["0xbb", "0x02"])];
    for (const each of [first, other]) {
      each.record = { hash: "0x12" };
      releasePayment(each);
    }
    expect(() => claim(["0xaa", "0x02"]))
      .to.throw()
      .with.property("code", "PAYMENT_CLAIMED");
    expect(claim(["0x09", "0x01"]).record).to.deep.equal({ hash: "0x12" });
    expect(() => claim(["0xAA"]))
      .to.throw()
      .with.property("code", "PAYMENT_CLAIMED");
  });

  it("a payment after its deadline: is forgotten, unless it is held or has no deadline", async () => {
    const paid = claim(["0xaa"], day, 10);
    const kept = claim(["0xbb"]);
    for (const each of [paid, kept]) {
      each.record = "0x12";
      releasePayment(each);
    }
    claim(["0xcc"], day, 10);
    await new Promise((resolve) => setTimeout(resolve, 12));
    claim(["0xdd"]);
    expect([...paymentLedger.keys()]).to.deep.equal(["0xbb", "0xcc", "0xdd"]);
  });

  it("a later claim whose clock is years ahead: no payment is forgotten before its own time is over", () => {
    const paid = claim(["0xaa"], 0, 60_000);
    paid.record = "0x12";
    releasePayment(paid);
    claim(["0xbb"], 1e12);
    expect(claim(["0xaa"], 1e12).record).to.equal("0x12");
  });

  it("100,000 open payments: none is forgotten, known ones are found, and a new one is refused by name", () => {
    for (let index = 0; index < 100_000; index++) {
      const open = {
        ask: undefined,
        expiresAt: 1e12,
        ids: [`a${index}`, `b${index}`],
        isHeld: false,
        record: index,
      };
      for (const id of open.ids) paymentLedger.set(id, open);
    }
    expect(() => claim(["new"]))
      .to.throw()
      .with.property("code", "PAYMENT_LIMIT");
    expect(claim(["B0"]).record).to.equal(0);
    expect(paymentLedger.size).to.equal(200_000);
    for (const id of ["a1", "b1"]) paymentLedger.delete(id);
    expect(claim(["new"]).record).to.equal(undefined);
  });
});
