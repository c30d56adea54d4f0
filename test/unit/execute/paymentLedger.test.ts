import { expect } from "chai";
import { claimPayment, paymentLedger, releasePayment } from "../../../src/execute/paymentLedger.ts";

const claim = (ids: readonly string[], now = 0, deadline?: number) => claimPayment({ deadline, ids, now });

describe("paymentLedger", () => {
  beforeEach(() => paymentLedger.clear());

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

  it("a payment after its deadline: is forgotten, unless it is held or has no deadline", () => {
    const paid = claim(["0xaa"], 0, 1_000);
    const kept = claim(["0xbb"]);
    for (const each of [paid, kept]) {
      each.record = "0x12";
      releasePayment(each);
    }
    claim(["0xcc"], 0, 1_000);
    claim(["0xdd"], 999);
    expect([...paymentLedger.keys()]).to.deep.equal(["0xaa", "0xbb", "0xcc", "0xdd"]);
    claim(["0xee"], 1_000);
    expect([...paymentLedger.keys()]).to.deep.equal(["0xbb", "0xcc", "0xdd", "0xee"]);
  });

  it("more than 10,000 claims: the oldest without a holder are forgotten, and none that is held", () => {
    const held = claim(["held"]);
    for (let i = 0; i < 10_010; i++) {
      const paid = claim([`${i}`]);
      paid.record = i;
      if (i > 9_900) releasePayment(paid);
    }
    for (const each of new Set(paymentLedger.values())) if (each !== held) releasePayment(each);
    claim(["last"]);
    expect(paymentLedger.size).to.be.at.most(10_001);
    expect([...paymentLedger.keys()])
      .to.include("held")
      .and.include("10009")
      .and.not.include("0");
  });
});
