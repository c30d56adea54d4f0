import { FunctionFragment, Interface } from "ethers";
import fc from "fast-check";
import type { AbiFunction, AbiParameter } from "viem";
import { address, bytes, bytes32, uint256 } from "../../records/support/arbitraries.ts";

/** A function of a contract and arguments for it. */
export type FunctionCall = { readonly item: AbiFunction; readonly args: readonly unknown[] };

/** A parameter and a value that fits it. */
type Argument = { readonly parameter: AbiParameter; readonly value: unknown };

const leaves: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  address,
  bool: fc.boolean(),
  bytes: bytes(0, 100),
  bytes32,
  bytes4: bytes(4),
  int256: fc.bigInt({ max: 2n ** 255n - 1n, min: -(2n ** 255n) }),
  int8: fc.integer({ max: 127, min: -128 }),
  // Texts that look like bytes are encoded as texts all the same.
  string: fc.oneof(
    fc.string({ maxLength: 100, unit: "binary" }),
    fc.constantFrom("0x", `0x${"5f".repeat(20)}`, `0x${"5f".repeat(32)}`),
  ),
  uint128: fc.bigInt({ max: 2n ** 128n - 1n, min: 0n }),
  uint256,
  uint8: fc.integer({ max: 255, min: 0 }),
};

const leafType = fc.oneof(
  fc.constantFrom(...Object.keys(leaves)),
  fc.constantFrom("uint256", "bytes", "string"),
);

/** Any parameter, nested at most `depth` times; its name is the caller's to choose. */
function parameterOf(depth: number, name: string): fc.Arbitrary<AbiParameter> {
  const leaf = leafType.map((type): AbiParameter => ({ name, type }));
  if (depth === 0) return leaf;
  const tuple = fc
    .record({ isNamed: fc.boolean(), size: fc.integer({ max: 4, min: 1 }) })
    .chain(({ isNamed, size }) =>
      fc.tuple(
        ...Array.from({ length: size }, (_, index) =>
          parameterOf(depth - 1, isNamed ? `member${index}` : ""),
        ),
      ),
    )
    .map((components): AbiParameter => ({ components, name, type: "tuple" }));
  const array = fc
    .tuple(parameterOf(depth - 1, name), fc.constantFrom("[]", "[1]", "[2]", "[3]"))
    .map(([element, suffix]): AbiParameter => ({ ...element, type: `${element.type}${suffix}` }));
  return fc.oneof(leaf, tuple, array);
}

/** A value that fits `parameter`; tuples whose members have names are objects, others lists. */
function valueFor(parameter: AbiParameter): fc.Arbitrary<unknown> {
  const match = /^(.*)\[(\d*)\]$/.exec(parameter.type);
  if (match !== null) {
    const [, type = "", length = ""] = match;
    const size = length === "" ? { maxLength: 3 } : { maxLength: Number(length), minLength: Number(length) };
    return fc.array(valueFor({ ...parameter, type }), size);
  }
  if ("components" in parameter) {
    const values = fc.tuple(...parameter.components.map(valueFor));
    if (parameter.components.some(({ name }) => name === "")) return values;
    return values.map((members) =>
      Object.fromEntries(parameter.components.map(({ name = "" }, index) => [name, members[index]])),
    );
  }
  const leaf = leaves[parameter.type];
  if (leaf === undefined) throw new Error(`no values for ${parameter.type}`);
  return leaf;
}

function argumentOf(parameter: fc.Arbitrary<AbiParameter>): fc.Arbitrary<Argument> {
  return parameter.chain((chosen) => valueFor(chosen).map((value) => ({ parameter: chosen, value })));
}

/** Calls of functions with one to five parameters, nested three deep; one `uint256` stands somewhere in any case. */
export const functionCall: fc.Arbitrary<FunctionCall> = fc
  .tuple(
    fc.array(argumentOf(parameterOf(3, "p")), { maxLength: 4 }),
    argumentOf(fc.constant<AbiParameter>({ name: "p", type: "uint256" })),
    fc.nat(4),
  )
  .map(([some, certain, position]) => {
    const chosen = some.toSpliced(Math.min(position, some.length), 0, certain);
    return {
      args: chosen.map(({ value }) => value),
      item: {
        inputs: chosen.map(({ parameter }, index) => ({ ...parameter, name: `p${index}` })),
        name: "target",
        outputs: [],
        stateMutability: "payable",
        type: "function",
      },
    };
  });

/** Calldata by ethers, which shares no code with the library. */
export function encodeWithEthers({ args, item }: FunctionCall): string {
  const fragment = FunctionFragment.from(item);
  const values = item.inputs.map((parameter, index) => positional(parameter, args[index]));
  return new Interface([fragment]).encodeFunctionData(fragment, values);
}

/** The same value with tuples as lists, the one form that does not depend on names. */
function positional(parameter: AbiParameter, value: unknown): unknown {
  const match = /^(.*)\[\d*\]$/.exec(parameter.type);
  if (match !== null) {
    const element = { ...parameter, type: match[1] ?? "" };
    return (value as readonly unknown[]).map((item) => positional(element, item));
  }
  if (!("components" in parameter)) return value;
  const members = Array.isArray(value)
    ? value
    : parameter.components.map(({ name = "" }) => (value as Record<string, unknown>)[name]);
  return parameter.components.map((component, index) => positional(component, members[index]));
}

/** Number of `uint256` values among the arguments. */
export function countAmounts(inputs: readonly AbiParameter[], args: readonly unknown[]): number {
  let count = 0;
  replaceAmounts(inputs, args, (amount) => {
    count += 1;
    return amount;
  });
  return count;
}

/** The arguments with every `uint256` replaced, which are counted in the order of the declaration. */
export function replaceAmounts(
  inputs: readonly AbiParameter[],
  args: readonly unknown[],
  replace: (amount: bigint, index: number) => unknown,
): readonly unknown[] {
  let index = 0;
  const visit = (parameter: AbiParameter, value: unknown): unknown => {
    const match = /^(.*)\[\d*\]$/.exec(parameter.type);
    if (match !== null) {
      const element = { ...parameter, type: match[1] ?? "" };
      return (value as readonly unknown[]).map((item) => visit(element, item));
    }
    if ("components" in parameter) {
      const { components } = parameter;
      if (Array.isArray(value)) return components.map((component, at) => visit(component, value[at]));
      const members = value as Record<string, unknown>;
      return Object.fromEntries(
        components.map((component) => [component.name, visit(component, members[component.name ?? ""])]),
      );
    }
    if (parameter.type !== "uint256") return value;
    index += 1;
    return replace(value as bigint, index - 1);
  };
  return inputs.map((parameter, at) => visit(parameter, args[at]));
}
