import { expect } from "chai";
import { amountOf, amountSchema, minimumAmountOf } from "../../../../src/schema/quote/amount.ts";
import { intStringSchema, quantitySchema, uintStringSchema } from "../../../../src/schema/wire/wireAmount.ts";
import { etherAmount } from "../../client/support/samples.ts";
import { keeps, refuses } from "../support/schemaChecks.ts";

describe("amounts on the wire", () => {
  const largest = (2n ** 256n - 1n).toString();
  const beyond = (2n ** 256n).toString();

  // @spec service/amounts
  it("are decimal strings that fit a uint256, and nothing else", () => {
    refuses(uintStringSchema, [
      "",
      "-1",
      "+1",
      "1.5",
      "1e18",
      "0x10",
      " 1",
      "1 ",
      "abc",
      1,
      1n,
      null,
      beyond,
    ]);
    refuses(intStringSchema, ["", "-", "--1", "1-", "1.5", `-${beyond}`, -1]);
  });

  it("keep their exact value at every size", () => {
    keeps(uintStringSchema, ["0", "1", (2n ** 53n + 1n).toString(), largest]);
    keeps(intStringSchema, ["0", "-1", `-${largest}`, largest]);
  });

  it("of a transaction may also be hexadecimal, or a number that is exact", () => {
    keeps(quantitySchema, ["42", "0x2a", 42, Number.MAX_SAFE_INTEGER]);
    refuses(quantitySchema, [-1, 1.5, 2 ** 53, Number.NaN, "0x", `0x${"f".repeat(65)}`, true]);
  });

  it("are read by helpers", () => {
    const amount = amountSchema.parse({ ...etherAmount("100"), minimumAmount: "99" });
    expect([amountOf(amount), minimumAmountOf(amount)]).to.deep.equal([100n, 99n]);
    expect(minimumAmountOf({ amount: "100" })).to.equal(100n);
  });
});
