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

  it("half a megabyte of unknown names: ten are described", () => {
    const names = Array.from({ length: 7_500 }, (_, index) => [String(index).padStart(64, "x"), 1]);
    expect(describeUnknown(Object.fromEntries(names), schema)).to.have.length(10);
  });

  it("names of any form of a union are known, and values that are no objects have none", () => {
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(describeUnknown({ a: "", b: "" }, either)).to.deep.equal([]);
    for (const value of [null, [1], "text", 1]) expect(describeUnknown(value, schema)).to.deep.equal([]);
    expect(describeUnknown({ any: 1 }, z.record(z.string(), z.unknown()))).to.deep.equal([]);
  });

  it("names inside lists and objects: are named once by their place, with the nearest name of that place", () => {
    const call = z.looseObject({ to: z.string(), value: z.string().optional() });
    const nested = z.looseObject({
      data: z.looseObject({ calls: z.array(call) }).nullish(),
      either: z.union([z.looseObject({ left: z.string() }), z.looseObject({ right: call })]).optional(),
      headers: z.looseObject({}).optional(),
      txs: z.array(call).optional(),
    });
    const sent = { to: "", valu: "" };
    expect(
      describeUnknown(
        {
          data: { calls: [sent] },
          either: { right: { too: 1 } },
          headers: { any: 1 },
          txs: [{ to: "" }, sent, sent],
        },
        nested,
      ),
    ).to.deep.equal([
      "`data.calls.*.valu` is unknown; did you mean `value`?",
      "`either.right.too` is unknown; did you mean `to`?",
      "`txs.*.valu` is unknown; did you mean `value`?",
    ]);
    const data = z.looseObject({ data: call });
    const forms = z.union([data, z.looseObject({ data: z.looseObject({ from: z.string() }) })]);
    expect(describeUnknown({ data: { from: "", to: "", valu: "" } }, forms)).to.have.length(1);
    const opaque = z.union([data, z.looseObject({ data: z.unknown() })]);
    expect(describeUnknown({ data: { valu: "" } }, opaque)).to.deep.equal([]);
    expect(describeUnknown({ data: null, either: [], txs: "" }, nested)).to.deep.equal([]);
  });

  it("half a megabyte of unknown names, in one object or in entries: is described in less than 100 ms, in 2,000 characters", () => {
    const nested = z.looseObject({ txs: z.array(z.looseObject({ to: z.string() })) });
    const names = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [`to${index}`.padEnd(9, "x"), 0]),
    );
    const long = { [`\n${"to".repeat(250_000)}`]: 0 };
    const entries = Array.from({ length: 40_000 }, (_, index) => ({ [index % 2 === 0 ? "too" : "two"]: 0 }));
    for (const value of [names, long, { txs: [names] }, { txs: entries }, { txs: [long] }]) {
      const started = performance.now();
      const said = describeUnknown(value, nested).join(" ");
      expect(performance.now() - started).to.be.below(100);
      expect(said.length).to.be.within(1, 2_000);
    }
  });
});
