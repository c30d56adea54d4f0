import { expect } from "chai";
import fc from "fast-check";
import { printLines, toJson } from "../../../cli/terminal/Terminal.ts";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { printable } from "../../../src/errors/printable.ts";

/** Every character that changes or hides other text. */
const bad = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;
const hostile =
  "\u001b]0;owned\u0007\u001b[2J\u001b[8m\rerror: none\u009b2J\u202e\u200b\u2028\u{e0041}\ud800";

describe("printable", () => {
  it("P10: replaces what changes or hides text, and keeps the rest", () => {
    expect(printable("US\u200bDC")).to.equal("US�DC");
    expect(printable("a\r\n\tb\u2028\u2029c")).to.equal("a b c");
    expect(printable("\u001b[2J\u009b2J")).to.equal("�[2J�2J");
    expect(printable("\u202e\u2066\u200f\u061c\ufeff\u00ad\u{e0041}x\udc00")).to.equal("�x�");
    const kept = "  Grüße, 世界 😀 \u00a0→ …";
    expect(printable(kept)).to.equal(kept);
  });

  it("P10: any text: one line without unprintable characters, of bounded length, and unchanged by a second call", () => {
    const text = fc.string({
      maxLength: 300,
      unit: fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary" })),
    });
    fc.assert(
      fc.property(text, fc.integer({ max: 200, min: 40 }), (given, longest) => {
        const once = printable(given, longest);
        expect(once).to.not.match(bad);
        expect(once.length).to.be.at.most(longest);
        expect(printable(once, longest)).to.equal(once);
      }),
    );
  });

  it("P10: errors: each part is one printable line of bounded length, and the hints are at most 101", () => {
    const long = hostile.repeat(30_000);
    const error = new BaseError(long, {
      details: long,
      metaMessages: Array.from({ length: 5_000 }, () => long),
    });
    for (const part of [error.shortMessage, error.details ?? "", ...error.metaMessages]) {
      expect(part).to.not.match(bad);
      expect(part.length).to.be.at.most(2_000);
    }
    expect(error.metaMessages).to.have.length(101);
    expect(error.metaMessages.at(-1)).to.equal("… (4900 more lines)");
    expect(error.message.replaceAll("\n", "")).to.not.match(bad);
    const caused = new BaseError("failed", { cause: new Error(long) });
    expect(caused.details).to.not.match(bad);
  });

  it("P10: output of the command keeps its own lines alone", () => {
    expect(printLines("a\n\u001b[31mred\u001b[39m\u0007[31m\u001b[2J\u202e")).to.equal(
      "a\n�[31mred�[39m�[31m�[2J�",
    );
  });

  it("P10: JSON is exact, and escapes what a terminal would act on", () => {
    const value = { amount: 1n, [hostile]: [hostile, "\n"] };
    for (const indent of [undefined, 2]) {
      const text = toJson(value, indent);
      expect(text.replaceAll("\n", "")).to.not.match(bad);
      expect(JSON.parse(text)).to.deep.equal({ amount: "1", [hostile]: [hostile, "\n"] });
    }
  });
});
