import { type AbiFunction, type AbiParameter, toFunctionSelector } from "viem";

/** A leaf of a function's parameters or of a message. */
export type Leaf = {
  /** Path of ERC-7730, such as `payments.[].amount`. */
  readonly path: string;
  readonly type: string;
};

/** The functions that change state, each from the first ABI that has it, with all its parameters named. */
export function stateChanging(abis: readonly (readonly unknown[])[]): AbiFunction[] {
  const [main = [], ...others] = abis.map((abi) => abi.filter(isFunction));
  const all = [main, ...others].flat();
  return main.filter(changesState).map((found) => {
    const selector = toFunctionSelector(found);
    const named = all.find(
      (each) => toFunctionSelector(each) === selector && each.inputs.every(({ name }) => name),
    );
    if (named === undefined) throw new Error(`No ABI names the parameters of ${found.name}.`);
    return named;
  });
}

const isFunction = (entry: unknown): entry is AbiFunction => (entry as { type?: string }).type === "function";

const changesState = ({ stateMutability }: AbiFunction): boolean =>
  stateMutability === "payable" || stateMutability === "nonpayable";

/** Signature with the names of the parameters, as ERC-7730 keys a format. */
export function namedSignature({ inputs, name }: AbiFunction): string {
  return `${name}(${inputs.map(namedParameter).join(",")})`;
}

function namedParameter({ name, type, ...parameter }: AbiParameter): string {
  const { components } = parameter as { components?: readonly AbiParameter[] };
  if (components === undefined) return `${type} ${name}`;
  return `(${components.map(namedParameter).join(",")})${type.replace("tuple", "")} ${name}`;
}

/** Leaves of a function's parameters, in their order. */
export function leavesOf(parameters: readonly AbiParameter[], parent = ""): Leaf[] {
  return parameters.flatMap(({ name, type, ...parameter }) => {
    const { components } = parameter as { components?: readonly AbiParameter[] };
    const path = [parent, name, ...(type.includes("[") ? ["[]"] : [])].filter((part) => part).join(".");
    return components === undefined ? [{ path, type }] : leavesOf(components, path);
  });
}
