import { type Address, encodeDeployData, getCreate2Address, type Hex, parseAbi } from "viem";
import { create2Salt, createXAddress } from "../abi/deployments.ts";
import type { ContractArtifact } from "./contracts.ts";

/**
 * "waybill" in bytes, then zeros. The factory reads the first 20 bytes as the only allowed account, and the 21st as a flag
 * for chain-specific addresses. This salt sets neither.
 */
export const factorySalt: Hex = `0x${"77617962696c6c".padEnd(64, "0")}`;

/** keccak256 of the factory's runtime code, the same on every chain. */
export const createXCodeHash: Hex = "0xbd8a7ea8cfca7b4e5f5041d7d4b17bc317c5ce42cfbc42066a00cf26b43eb53f";

/** The factory's function that this package uses. */
export const createXAbi = parseAbi([
  "function deployCreate2(bytes32 salt, bytes initCode) payable returns (address newContract)",
]);

/** Computes the address of an artifact with these constructor arguments, on every chain that has the factory. */
export function deploymentAddress({ abi, bytecode }: ContractArtifact, args: readonly unknown[]): Address {
  const code = encodeDeployData({ abi, args: [...args], bytecode });
  return getCreate2Address({ bytecode: code, from: createXAddress, salt: create2Salt });
}
