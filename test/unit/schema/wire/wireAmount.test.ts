import { intStringSchema, quantitySchema, uintStringSchema } from "../../../../src/schema/wire/wireAmount.ts";
import { keeps, refuses } from "../support/schemaChecks.ts";

describe("amounts on the wire", () => {
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

  it("of a transaction may also be hexadecimal, or a number that is exact", () => {
    keeps(quantitySchema, ["42", "0x2a", 42, Number.MAX_SAFE_INTEGER]);
    refuses(quantitySchema, [-1, 1.5, 2 ** 53, Number.NaN, "0x", `0x${"f".repeat(65)}`, true]);
  });
});
