import { expect } from "chai";
import {
  decimalToUnits,
  formatAmount,
  maxUint256,
  parseAmount,
  parseSignedAmount,
  unitsToDecimal,
} from "../../../src/internal/amounts.ts";

const edges = [0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n, 2n ** 128n, maxUint256];

describe("parseAmount and formatAmount", () => {
  it("reject an invalid amount by the name of the argument", () => {
    for (const value of [
      "",
      " ",
      "-1",
      "+1",
      "1.0",
      "1e18",
      "0x10",
      "1_000",
      "١",
      "1 ",
      "9".repeat(79),
      "NaN",
    ]) {
      expect(() => parseAmount(value, "value"), value).to.throw(
        /^Parameter `value` is invalid: not a decimal string/,
      );
    }
    for (const value of ["", "-", "--1", "+1", "-1.0", "- 1", `-${"9".repeat(79)}`, 1, [1], [-1]]) {
      expect(() => parseSignedAmount(value as string, "value"), String(value)).to.throw(
        "Parameter `value` is",
      );
    }
    for (const parse of [parseAmount, parseSignedAmount]) {
      expect(() => parse(["1"] as never)).to.throw("Parameter `amount` is invalid: not a decimal string");
      expect(() => parse("x")).to.throw("Parameter `amount` is invalid: not a decimal string");
    }
    expect(() => formatAmount(-1n)).to.throw("Parameter `amount`");
    expect(() => parseAmount((maxUint256 + 1n).toString())).to.throw("larger than a uint256");
    expect(() => formatAmount(-1n)).to.throw("negative");
    expect(() => formatAmount(maxUint256 + 1n)).to.throw("larger than a uint256");
  });

  it("are exact at every size", () => {
    for (const amount of edges) {
      expect(parseAmount(formatAmount(amount))).to.equal(amount);
      expect(parseSignedAmount(`-${amount}`)).to.equal(-amount);
      expect(parseSignedAmount(`${amount}`)).to.equal(amount);
    }
  });
});

describe("decimalToUnits and unitsToDecimal", () => {
  it("refuse what is not a decimal number, and never round", () => {
    for (const value of ["", ".", "1.", ".5", "1e3", "0x1", "--1", "1,5", "Infinity"]) {
      expect(() => decimalToUnits(value, 18), value).to.throw("`value` is invalid: not a decimal number");
    }
    expect(() => decimalToUnits("0.0000001", 6)).to.throw("`value` is invalid: more than 6 decimal places");
    for (const decimals of [-1, 1.5, 256, Number.NaN]) {
      expect(() => decimalToUnits("1", decimals)).to.throw("`decimals` is invalid");
      expect(() => unitsToDecimal(1n, decimals)).to.throw("`decimals` is invalid");
    }
  });

  it("are exact inverses at every size and precision", () => {
    for (const units of [...edges, ...edges.map((edge) => -edge)]) {
      for (const decimals of [0, 1, 6, 8, 18, 77, 255]) {
        expect(decimalToUnits(unitsToDecimal(units, decimals), decimals)).to.equal(units);
      }
    }
  });

  it("write numbers without trailing zeros", () => {
    expect(unitsToDecimal(30_754_920n, 6)).to.equal("30.75492");
    expect(unitsToDecimal(7n, 18)).to.equal("0.000000000000000007");
    expect(unitsToDecimal(-(10n ** 18n), 18)).to.equal("-1");
    expect(decimalToUnits("0.70", 18)).to.equal(7n * 10n ** 17n);
    expect(decimalToUnits("1.500000000", 6)).to.equal(1_500_000n);
  });
});
