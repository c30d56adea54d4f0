import { expect } from "chai";
import * as z from "zod";
import { describeUnknown } from "../../../../../emulator/http/body/unknownNames.ts";

describe("describeUnknown", () => {
  const schema = z.object({ amount: z.string(), tradeType: z.string(), useDepositAddress: z.boolean() });

  for (const [name, sentence] of [
    ["tradetype", "`tradetype` is unknown; did you mean `tradeType`?"],
    ["useDepositAdress", "`useDepositAdress` is unknown; did you mean `useDepositAddress`?"],
    ["slippage", "`slippage` is unknown"],
    ["", "`` is unknown"],
    ["amount\r\nset-cookie: x", "`amount??set-cookie: x` is unknown"],
    ["é".repeat(100), `\`${"?".repeat(64)}\` is unknown`],
  ] as const) {
    it(`${JSON.stringify(name.slice(0, 24))}: ${sentence.slice(0, 60)}`, () => {
      expect(describeUnknown({ amount: "1", [name]: 1 }, schema)).to.deep.equal([sentence]);
    });
  }

  it("names of any form of a union are known, and values that are no objects have none", () => {
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(describeUnknown({ a: "", b: "" }, either)).to.deep.equal([]);
    for (const value of [null, [1], "text", 1]) expect(describeUnknown(value, schema)).to.deep.equal([]);
    expect(describeUnknown({ any: 1 }, z.record(z.string(), z.unknown()))).to.deep.equal([]);
  });
});
