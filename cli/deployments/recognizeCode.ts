import { type Address, getAddress, type Hex, slice } from "viem";
import {
  type ContractName,
  contractNames,
  type ImmutableValue,
  type ReadArtifact,
} from "../../src/deployment/contracts.ts";
import { type CodeMatch, matchCode } from "./matchCode.ts";

/** What the code of an account is. */
export type RecognizedCode =
  | {
      readonly contract: ContractName;
      readonly immutables: Readonly<Record<string, ImmutableValue>>;
    }
  | {
      readonly contract?: undefined;
      /** What the account is instead. */
      readonly reason: string;
    };

const delegationLength = 23;
/** A foreign contract shares its padding and common routines with every other. */
const leastLikeness = 0.5;

/**
 * Finds the contract of this package that an account's code is.
 *
 * @param expected The only contract to accept. @default any
 */
export function recognizeCode(
  code: Hex,
  readArtifact: ReadArtifact,
  expected?: ContractName,
): RecognizedCode {
  const delegate = delegateOf(code);
  if (delegate !== undefined) return { reason: delegate };
  const matches = contractNames.map((name) => ({ match: matchCode(code, name, readArtifact(name)), name }));
  for (const { match, name } of matches) {
    if (!match.isSame) continue;
    if (expected === undefined || name === expected) return { contract: name, immutables: match.immutables };
    return { reason: `the code is ${name}'s, and not ${expected}'s` };
  }
  return { reason: closest(matches, expected) };
}

/** Code that runs another account's code. */
function delegateOf(code: Hex): string | undefined {
  if (code === "0x") return "the account has no code";
  const bytes = code.length / 2 - 1;
  if (code.startsWith("0xef0100") && bytes === delegationLength) {
    return `the account is an EOA that delegates to ${addressAt(code, 3)} (EIP-7702): its key can act, and change the code`;
  }
  if (code.startsWith("0x363d3d373d3d3d363d73") && bytes >= 45) {
    return `the contract is a minimal proxy of ${addressAt(code, 10)} (ERC-1167), not a contract of this package`;
  }
  return undefined;
}

function addressAt(code: Hex, start: number): Address {
  return getAddress(slice(code, start, start + 20));
}

function closest(
  matches: readonly { readonly match: CodeMatch; readonly name: ContractName }[],
  expected: ContractName | undefined,
): string {
  const others = matches.flatMap(({ match, name }) => (match.isSame ? [] : [{ ...match, name }]));
  const candidates = others.filter(({ name }) => expected === undefined || name === expected);
  const [best] = candidates.toSorted((a, b) => b.likeness - a.likeness);
  if (best === undefined || (expected === undefined && best.likeness < leastLikeness)) {
    return "the code is no contract of this version of the package";
  }
  return `the code is not ${best.name}'s: ${best.difference}`;
}
