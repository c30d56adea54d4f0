import { expect } from "chai";
import {
  Coded,
  encodeWhole,
  isSame,
  partLike,
  plainOf,
  Unmet,
} from "../../../../src/calls/verify/compareWhole.ts";
import { findDifferences } from "../../../../src/calls/verify/findDifferences.ts";

describe("isSame", () => {
  it("hexadecimal is equal in any letter case and numbers in any type, and addresses of other VMs only as they are", () => {
    for (const [one, other, expected] of [
      ["0xAb", "0xaB", true],
      ["0x", "0X", false],
      [1, 1n, true],
      [1n, "1", true],
      ["So1A", "so1A", false],
      ["0xSo1A", "0xso1a", false],
      ["a0xA", "a0xa", false],
      [{ a: "A" }, { a: "a" }, false],
    ] as const) {
      expect(isSame(one, other), `${one} ${other}`).to.equal(expected);
    }
  });
});

describe("encodeWhole", () => {
  it("equal trees: have equal texts, whatever the order of their fields and the type of their numbers", () => {
    const tree = { a: [1n, { c: "0xAB", d: undefined }], b: null };
    expect(encodeWhole(tree)).to.equal(encodeWhole({ b: null, a: ["1", { c: "0xab" }] }));
    expect(encodeWhole({ a: new Coded(5n, "QUOTE_CHAIN") })).to.equal(encodeWhole({ a: 5 }));
  });

  it("an unmet condition: equals nothing that a response can hold", () => {
    const unmet = encodeWhole(new Unmet("more than 0"));
    for (const value of ["unmet", "", undefined, null, {}, [], { text: "more than 0" }]) {
      expect(encodeWhole(value)).to.not.equal(unmet);
    }
  });

  for (const [what, one, other] of [
    ["a list and an object with its indices", ["a"], { 0: "a" }],
    ["a list of two, and of their joined text", ["a", "b"], ["a,b"]],
    ["null and an empty object", null, {}],
    ["an empty list and an empty object", [], {}],
    ["a missing field and null", {}, { a: null }],
    ["two fields, and their swapped values", { a: 1, b: 2 }, { a: 2, b: 1 }],
  ] as const) {
    it(`${what}: have different texts`, () => {
      expect(encodeWhole(one)).to.not.equal(encodeWhole(other));
    });
  }
});

describe("partLike", () => {
  it("keeps the expected fields, in lists and behind codes, and no others", () => {
    const expected = { list: [{ a: 1 }], one: new Coded({ a: 1 }, "QUOTE_CHAIN"), open: {}, plain: "x" };
    const actual = {
      extra: 1,
      list: [{ a: 2, b: 3 }, { a: 4 }],
      one: { a: 5, b: 6 },
      open: { b: 7 },
      plain: { b: 8 },
    };
    expect(partLike(expected, actual)).to.deep.equal({
      list: [{ a: 2 }, { a: 4 }],
      one: { a: 5 },
      open: {},
      plain: { b: 8 },
    });
  });

  for (const [what, expected, actual] of [
    ["a condition", new Unmet("one"), { a: 1 }],
    ["null", null, { a: 1 }],
    ["a list for an object", { a: 1 }, null],
    ["an object for a list", [{ a: 1 }], { b: 1 }],
    ["a text for an object", { a: 1 }, "text"],
    ["nothing for an object", { a: 1 }, undefined],
    ["a list for a text", "text", [{ a: 1 }]],
  ] as const) {
    it(`${what}: is compared with the value as it is`, () => {
      expect(partLike(expected, actual)).to.equal(actual);
    });
  }

  it("an inherited field: is none", () => {
    expect(partLike({ toString: 1 }, {})).to.deep.equal({ toString: undefined });
  });
});

describe("plainOf", () => {
  it("is what JSON holds: numbers as text, and values without their codes", () => {
    expect(plainOf({ a: 5n, b: new Coded([7n], "QUOTE_CHAIN"), c: undefined })).to.deep.equal({
      a: "5",
      b: ["7"],
    });
  });
});

describe("findDifferences", () => {
  const codesOf = (expected: unknown, actual: unknown) =>
    findDifferences(expected, actual).map(({ code, path }) => `${code} ${path}`);

  for (const [path, code] of [
    ["details.currencyIn.amount", "AMOUNT"],
    ["details.currencyOut.amount", "OUTPUT"],
    ["protocol.v2.paymentDetails.depository", "TARGET"],
    ["protocol.v2.paymentDetails.amount", "ORDER"],
    ["protocol.v2.orderData.inputs.0.refunds.0.currency", "REFUND"],
    ["protocol.v2.orderData.inputs.0.refunds.0.deadline", "DEADLINE"],
    ["protocol.v2.orderData.output.extraData", "ORDER"],
    ["steps.0.items.0.data.sign.value.to", "SPENDER"],
    ["steps.0.items.0.data.sign.types.Permit", "SIGNATURE"],
    ["steps.0.items.0.data.value", "VALUE"],
    ["steps.0.items.0.data.to", "TARGET"],
    ["steps.0.items.0.data.gas", "GAS"],
    ["steps.0.items.0.data.call3Values.1.value", "CALLS"],
    ["protocol.v2.salt", "ORDER"],
    ["anything", "CALL"],
  ] as const) {
    it(`a difference at ${path}: has the code QUOTE_${code}`, () => {
      const at = (leaf: unknown) =>
        path.split(".").reduceRight<unknown>((tree, name) => ({ [name]: tree }), leaf);
      expect(codesOf(at("1"), at("2"))).to.deep.equal([`QUOTE_${code} ${path}`]);
    });
  }

  it("a difference: shows both values, a condition its text, and nothing as nothing", () => {
    const unmet = new Unmet("more than 0", "QUOTE_OUTPUT");
    const found = findDifferences({ a: unmet, b: { c: 1n }, d: [1] }, { a: "0", d: [1, 2] });
    expect(found).to.deep.equal([
      { actual: "0", code: "QUOTE_OUTPUT", expected: "more than 0", path: "a" },
      { actual: "nothing", code: "QUOTE_CALL", expected: '{"c":"1"}', path: "b" },
      { actual: '["1","2"]', code: "QUOTE_CALL", expected: '["1"]', path: "d" },
    ]);
    const [missing] = findDifferences({ a: undefined }, { a: "x" });
    expect(missing).to.include({ actual: "x", expected: "nothing" });
    const [shown] = findDifferences({ a: 1 }, { a: new Unmet("a value that the node can read") });
    expect(shown).to.include({ actual: "a value that the node can read" });
    const [coded] = findDifferences({ a: new Coded({ b: 1 }, "QUOTE_RECORD") }, { a: { b: 2 } });
    expect(coded).to.include({ code: "QUOTE_RECORD", path: "a.b" });
  });

  it("requests and conditions: are named by the steps that they are about", () => {
    expect(codesOf({ requestIds: ["1"] }, { requestIds: ["2"] })).to.deep.equal([
      "QUOTE_REQUEST_ID steps.0.requestId",
    ]);
    const unmet = new Unmet("one payment", "QUOTE_PAYMENT", "none");
    expect(codesOf({ conditions: { 0: unmet } }, { conditions: {} })).to.deep.equal(["QUOTE_PAYMENT steps"]);
  });

  it("calldata of one function: is compared by argument, of two as a whole", () => {
    const word = (value: string) => value.padStart(64, "0");
    const transfer = `0xa9059cbb${word("ab")}${word("5")}`;
    const at = (data: string) => ({ steps: { data } });
    expect(codesOf(at(transfer), at(transfer.replace(/5$/, "6")))).to.deep.equal([
      "QUOTE_AMOUNT steps.data.amount",
    ]);
    expect(codesOf(at(transfer), at(`${transfer}${word("7")}`))).to.deep.equal([
      "QUOTE_ORDER_ID steps.data.id",
    ]);
    expect(codesOf(at(transfer), at(transfer.replace("a9059cbb", "095ea7b3")))).to.deep.equal([
      "QUOTE_CALL steps.data",
    ]);
    const deposit = `0x49290c1c${word("ab")}${word("5")}`;
    expect(codesOf(at(deposit), at(`${deposit}00`))).to.deep.equal(["QUOTE_REQUEST_ID steps.data.tag"]);
    expect(codesOf({ memo: transfer }, { memo: `${transfer}00` })).to.deep.equal(["QUOTE_CALL memo"]);
    expect(codesOf({ a: { target: "0x1", b: 1 } }, { a: { target: "0x2", b: 2 } })).to.deep.equal([
      "QUOTE_CALL a",
    ]);
  });
});
