import { type Address, getContractAddress, type Hex, keccak256 } from "viem";
import { addressOf, createX, salt } from "../../ignition/createX.ts";
import { GENERATED_HEADER } from "./renderAbi.ts";

/** Creation code of the contracts that have addresses, by name. */
export type CreationCode = Readonly<Record<string, Hex>>;

/** Contracts whose constructor takes nothing: one address on every chain. */
const COMMON = ["BalanceProxy", "ManagedReceiverLens", "OutputGuard", "RecordVerifier"] as const;

/** `src/abi/deployments.ts`, before formatting. */
export function renderDeployments(code: CreationCode, receivers: readonly string[]): string {
  const common: [string, Address][] = COMMON.map((name) => [name, addressOf(codeOf(code, name))]);
  const proxy = addressOf(codeOf(code, "BalanceProxy"));
  // The first contract that the proxy makes, in its constructor.
  common.push(["BalanceExecutor", getContractAddress({ from: proxy, nonce: 1n })]);
  const others = receivers.filter((name) => !COMMON.some((each) => each === name));
  const hashes = others.map((name): [string, Hex] => [name, keccak256(codeOf(code, name))]);
  return `${GENERATED_HEADER}

/** The CREATE2 factory that Waybill's contracts are deployed through. */
export const createXAddress = "${createX}";

/** The salt they are deployed with, as the factory hashes it before use. */
export const create2Salt = "${keccak256(salt)}";

/**
 * Contracts without constructor arguments: where they are, or would be, on every chain that has the factory.
 */
export const deployments = ${objectOf(common)} as const;

/** keccak256 of the receivers' creation code, without arguments: what their addresses are computed from. */
export const creationCodeHashes = ${objectOf(hashes)} as const;
`;
}

function codeOf(code: CreationCode, name: string): Hex {
  const found = code[name];
  if (found === undefined) throw new Error(`There is no creation code of ${name}.`);
  return found;
}

function objectOf(entries: readonly (readonly [string, string])[]): string {
  const sorted = entries.toSorted(([a], [b]) => a.localeCompare(b, "en"));
  return `{${sorted.map(([name, value]) => `${name}: "${value}"`).join(",")}}`;
}
