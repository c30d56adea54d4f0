import { getCreate2Address, type Hex, keccak256 } from "viem";
import { factorySalt } from "../src/deployment/createX.ts";

/** Factory of Ignition's create2 strategy, at the same address on every public chain. */
export const createX = "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed";

/** Salt for Ignition's create2 strategy. */
export const salt: Hex = factorySalt;

/**
 * Computes the address of a contract, on every chain.
 *
 * @param initCode Creation code followed by the encoded constructor arguments.
 */
export function addressOf(initCode: Hex): `0x${string}` {
  // The factory hashes a salt without an account.
  return getCreate2Address({ bytecode: initCode, from: createX, salt: keccak256(salt) });
}
