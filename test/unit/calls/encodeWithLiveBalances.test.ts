import { expect } from "chai";
import { FunctionFragment, Interface } from "ethers";
import fc from "fast-check";
import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Address,
  encodeFunctionData,
  type Hex,
  parseAbi,
  slice,
  toHex,
} from "viem";
import { encodeWithLiveBalances, type Splice } from "../../../src/calls/encodeWithLiveBalances.ts";
import { balanceOf, nativeBalance } from "../../../src/calls/liveBalance.ts";
import { address, bytes, uint256 } from "../records/support/arbitraries.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const zeroWord: Hex = `0x${"00".repeat(32)}`;

/** A `uint256` of a random call. */
class Amount {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

const amount = uint256.map((value) => new Amount(value));
const leaves: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  address,
  bool: fc.boolean(),
  bytes: bytes(0, 100),
  bytes4: bytes(4),
  int256: fc.bigInt({ max: 2n ** 255n - 1n, min: -(2n ** 255n) }),
  // Texts that look like bytes are encoded as texts all the same.
  string: fc.oneof(
    fc.string({ maxLength: 100, unit: "binary" }),
    fc.constantFrom("0x", `0x${"5f".repeat(20)}`, `0x${"5f".repeat(32)}`),
  ),
  uint128: fc.bigInt({ max: 2n ** 128n - 1n, min: 0n }),
  uint256: amount,
};

/** Any parameter, nested three deep. Members of tuples have no names, so that their values are lists. */
const { parameter: anyParameter } = fc.letrec<{ parameter: AbiParameter }>((tie) => ({
  parameter: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    fc.constantFrom(...Object.keys(leaves), "uint256", "bytes", "string").map((type) => ({ type })),
    fc
      .array(tie("parameter"), { maxLength: 4, minLength: 1 })
      .map((components) => ({ components, type: "tuple" })),
    fc
      .tuple(tie("parameter"), fc.constantFrom("[]", "[1]", "[3]"))
      .map(([element, suffix]) => ({ ...element, type: `${element.type}${suffix}` })),
  ),
}));

/** A value that fits a parameter. */
function valueFor(parameter: AbiParameter): fc.Arbitrary<unknown> {
  const [, type, length] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? [];
  if (type !== undefined) {
    const fixed = { maxLength: Number(length), minLength: Number(length) };
    return fc.array(valueFor({ ...parameter, type }), length === "" ? { maxLength: 3 } : fixed);
  }
  if ("components" in parameter) return fc.tuple(...parameter.components.map(valueFor));
  return leaves[parameter.type] ?? fc.constant(undefined);
}

/** The same arguments, with each amount replaced in the order of the declaration. */
function fill(args: readonly unknown[], replace: (amount: bigint, index: number) => unknown): unknown[] {
  let index = 0;
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    return value instanceof Amount ? replace(value.value, index++) : value;
  };
  return args.map(visit);
}

/** Calls of random functions, with the indexes and final values of their live amounts. */
const liveCall = fc
  .tuple(fc.array(anyParameter, { maxLength: 4 }), fc.nat(4))
  .map(([some, position]) => some.toSpliced(position, 0, { type: "uint256" }))
  .chain((inputs) => fc.tuple(fc.constant(inputs), fc.tuple(...inputs.map(valueFor))))
  .chain(([inputs, args]) => {
    let count = 0;
    fill(args, () => count++);
    const item: AbiFunction = {
      inputs: inputs.map((input, index) => ({ ...input, name: `p${index}` })),
      name: "target",
      outputs: [],
      stateMutability: "payable",
      type: "function",
    };
    return fc.record({
      amounts: fc.array(uint256, { maxLength: count, minLength: count }),
      args: fc.constant(args),
      item: fc.constant(item),
      live: fc.subarray(
        Array.from({ length: count }, (_, index) => index),
        { minLength: 1 },
      ),
    });
  });

/** A separate token for each amount, so that a splice identifies its amount. */
const tokenOf = (index: number): Address => toHex(index + 1, { size: 20 });

/** Writes a word into calldata, as the proxy does on chain. */
function patch(data: Hex, { offset }: Splice, amount: bigint): Hex {
  const start = 2 + offset * 2;
  return `0x${data.slice(2, start)}${toHex(amount, { size: 32 }).slice(2)}${data.slice(start + 64)}`;
}

/** Encodes arguments whose types are unknown at compile time; they are typed as amounts. */
function encode(abi: Abi, args: readonly unknown[], functionName = "target") {
  return encodeWithLiveBalances({ abi, args: args as readonly bigint[], functionName });
}

/** Offset of the only live balance of `args` in a call of `target` with the parameters `inputs`. */
function offsetIn(inputs: string, args: readonly unknown[]): number {
  const { splices } = encode(parseAbi([`function target(${inputs})`] as string[]) as Abi, args);
  const [only] = splices;
  if (only === undefined || splices.length > 1) throw new Error(`${splices.length} splices`);
  return only.offset;
}

describe("encodeWithLiveBalances", () => {
  it("finds the words that a full encoding with the real amounts has", () => {
    fc.assert(
      fc.property(liveCall, ({ amounts, args, item, live }) => {
        const isLive = (index: number) => live.includes(index);
        const marked = fill(args, (fixed, index) => (isLive(index) ? balanceOf(tokenOf(index)) : fixed));
        const { data, splices } = encode([item], marked);
        expect(splices.map((splice) => splice.token)).to.have.members(live.map(tokenOf));

        const filled = splices.reduce((patched, splice) => {
          expect(slice(data, splice.offset, splice.offset + 32, { strict: true })).to.equal(zeroWord);
          return patch(patched, splice, amounts[Number(BigInt(splice.token)) - 1] ?? 0n);
        }, data);
        const complete = fill(args, (fixed, index) => (isLive(index) ? amounts[index] : fixed));
        // ethers shares no code with the library.
        expect(filled).to.equal(
          new Interface([FunctionFragment.from(item)]).encodeFunctionData("target", complete),
        );
      }),
      { numRuns: 300 },
    );
  }).timeout(30_000);

  it("finds known places", () => {
    const live = balanceOf(token);
    const known: readonly (readonly [number, string, readonly unknown[]])[] = [
      [4, "uint256 assets, address receiver", [live, recipient]],
      // After the pointer, the length and the first element.
      [4 + 32 + 32 + 32, "uint256[] amounts", [[1n, live]]],
      [4 + 64, "uint256[3] amounts", [[1n, 2n, live]]],
      // Members with names, given as an object in another order.
      [4 + 32, "(address receiver, uint256 amount) order", [{ amount: live, receiver: recipient }]],
      [4 + 32 + 32, "(string note, uint256 amount) order", [{ amount: live, note: "x" }]],
      // The text takes its length and two words.
      [4 + 64 + 32 + 64 + 32, "string note, uint256[] amounts", ["x".repeat(33), [live]]],
      [4 + 64 + 32 + 64 + 32, "bytes note, uint256[] amounts", [`0x${"ab".repeat(33)}`, [live]]],
      // A character outside ASCII takes more than one byte.
      [4 + 64 + 32 + 64 + 32, "string note, uint256[] amounts", ["é".repeat(17), [live]]],
    ];
    for (const [offset, inputs, args] of known) expect(offsetIn(inputs, args), inputs).to.equal(offset);
  });

  it("a list before a number: gives the number's place first, because the contract requires ascending offsets", () => {
    const abi = parseAbi(["function target(uint256[] amounts, uint256 minimum)"]);
    const live = balanceOf(token);
    const { splices } = encodeWithLiveBalances({ abi, args: [[live], live], functionName: "target" });
    expect(splices.map(({ offset }) => offset)).to.deep.equal([4 + 32, 4 + 64 + 32]);
  });

  it("gives nothing to splice for arguments without a live balance", () => {
    const abi = parseAbi(["function target(uint256 amount)"]);
    const { data, splices } = encodeWithLiveBalances({ abi, args: [7n], functionName: "target" });
    expect(splices).to.deep.equal([]);
    expect(data).to.equal(encodeFunctionData({ abi, args: [7n], functionName: "target" }));
  });

  it("refuses a live balance in place of any other type, by the name of the parameter", () => {
    const misplaced: Readonly<Record<string, readonly unknown[]>> = {
      "(uint8 kind, uint96 victim) order": [{ kind: 1, victim: balanceOf(token) }],
      "(uint8, int128 victim)[] orders": [[[1, balanceOf(token)]]],
      "int256 victim": [balanceOf(token)],
      "uint128 victim": [balanceOf(token)],
      "uint128[2] victim": [[1n, balanceOf(token)]],
      "uint248[] victim": [[balanceOf(token)]],
      "uint8 victim": [nativeBalance()],
      ...Object.fromEntries(
        ["address", "bool", "bytes", "bytes32", "string", "uint256[]", "(uint256 amount)"].map((type) => [
          `${type} victim`,
          [balanceOf(token)],
        ]),
      ),
    };
    for (const [inputs, args] of Object.entries(misplaced)) {
      const abi = parseAbi([`function target(${inputs})`] as string[]) as Abi;
      const { message } = expectInvalid(() => encode(abi, args), "victim", inputs);
      expect(message, inputs).to.include("a live balance is a uint256");
    }
  });
});
