import { expect } from "chai";
import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  numberToHex,
  parseAbiParameters,
  toFunctionSelector,
} from "viem";
import { decodeCall } from "../../../src/calls/decodeCall.ts";
import { decodeCanonical } from "../../../src/calls/decodeCanonical.ts";
import { proofFunctions } from "../../../src/calls/verify/routedCalls.ts";
import { drawsOf } from "../../helpers/seededDraws.ts";

const word = (value: number) => numberToHex(value, { size: 32 }).slice(2);

describe("decodeCanonical", () => {
  const shapes: readonly (readonly [string, readonly AbiParameter[], readonly unknown[]])[] = [
    ["static members", parseAbiParameters("uint256, bool"), [7n, true]],
    ["bytes and text", parseAbiParameters("bytes, uint256, string"), [`0x${"ab".repeat(33)}`, 1n, "text"]],
    ["empty bytes and lists", parseAbiParameters("bytes, uint256[], bytes[]"), ["0x", [], []]],
    [
      "calls of a router",
      parseAbiParameters(
        "(address target, bool allowFailure, uint256 value, bytes callData)[], address",
      ) as readonly AbiParameter[],
      [
        [
          { allowFailure: true, callData: "0x12", target: `0x${"11".repeat(20)}`, value: 1n },
          { allowFailure: false, callData: "0x", target: `0x${"22".repeat(20)}`, value: 0n },
        ],
        `0x${"33".repeat(20)}`,
      ],
    ],
    [
      "lists of fixed length, static and not",
      parseAbiParameters("uint8[2][3], bytes[2], (uint256 a, string b)[1][]"),
      [
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        ["0x01", "0x"],
        [[{ a: 1n, b: "x" }], [{ a: 2n, b: "" }]],
      ],
    ],
  ];
  for (const [title, parameters, values] of shapes) {
    it(`decodes ${title} as viem does`, () => {
      const encoded = encodeAbiParameters(parameters, values);
      expect(decodeCanonical(parameters, encoded)).to.deep.equal(decodeAbiParameters(parameters, encoded));
    });

    it(`refuses ${title} cut short by a word`, () => {
      const encoded = encodeAbiParameters(parameters, values).slice(0, -64) as Hex;
      expect(() => decodeCanonical(parameters, encoded)).to.throw();
    });
  }

  it("refuses every offset that is not the canonical one", () => {
    const [, parameters, values] = shapes[3] as (typeof shapes)[number];
    const encoded = encodeAbiParameters(parameters, values);
    for (const at of [0, 3, 4, 8, 12]) {
      const [before, after] = [encoded.slice(0, 2 + at * 64), encoded.slice(2 + (at + 1) * 64)];
      for (const offset of [0, 32, 2 ** 40]) {
        const changed = `${before}${word(offset)}${after}` as Hex;
        if (changed === encoded) continue;
        expect(() => decodeCanonical(parameters, changed), `${at} ${offset}`).to.throw();
      }
    }
  });

  it("agrees with viem's encoder on a thousand lists of random lengths", () => {
    const { whole } = drawsOf("lists");
    const parameters = parseAbiParameters("(bytes data, uint256[] list)[], string");
    for (let run = 0; run < 1_000; run++) {
      const entries = Array.from({ length: whole(0, 3) }, () => ({
        data: `0x${"5a".repeat(whole(0, 69))}` as Hex,
        list: Array.from({ length: whole(0, 3) }, () => BigInt(whole(0, 8))),
      }));
      const encoded = encodeAbiParameters(parameters, [entries, "y".repeat(whole(0, 69))]);
      expect(encodeAbiParameters(parameters, decodeCanonical(parameters, encoded))).to.equal(encoded);
    }
  });

  const item = proofFunctions.find(({ inputs, name }) => name === "multicall" && inputs.length === 3);
  if (item === undefined) throw new Error("The router has no multicall.");
  /** Calldata of `multicall` whose list of calls has this length and these bytes. */
  const multicall = (count: number, list: string): Hex =>
    `${toFunctionSelector(item)}${[word(0x60), word(0x11), word(0x11), word(count), list].join("")}`;
  const zeros = "00".repeat(290_000);
  // Each call is at one place, and its calldata is the rest: 4,000 times 0.17 MB.
  const shared = [
    Array(4_000)
      .fill(word(4_000 * 32))
      .join(""),
    ...[word(0x11), word(0), word(0), word(0x80), word(170_000), "00".repeat(170_016)],
  ];
  const bombs: Readonly<Record<string, Hex>> = {
    "whose entries share one place": multicall(4_000, shared.join("")),
    "that claim an entry for each byte": multicall(290_000, `${word(290_000 * 32)}${zeros}`),
    "that claim an entry for each word": multicall(9_000, `${word(9_000 * 32)}${zeros}`),
    "that claim more entries than numbers can count": multicall(2 ** 60, zeros),
  };
  for (const [title, bomb] of Object.entries(bombs)) {
    it(`P4: 0.3 MB ${title} are refused within 100 ms and 50 MB`, () => {
      expect(bomb.length / 2).to.be.above(290_000);
      const before = process.memoryUsage();
      const start = process.cpuUsage();
      expect(decodeCall(proofFunctions, bomb)).to.equal(undefined);
      const { system, user } = process.cpuUsage(start);
      const after = process.memoryUsage();
      expect((system + user) / 1_000).to.be.below(100);
      expect(after.heapUsed + after.external - before.heapUsed - before.external).to.be.below(50_000_000);
    });
  }
});
