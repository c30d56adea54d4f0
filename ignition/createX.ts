import { getCreate2Address, type Hex, keccak256 } from "viem";

/** The factory that stands at this address on every public chain, and that Ignition's create2 strategy deploys through. */
export const createX = "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed";

/**
 * "waybill" in bytes, and zeros. The factory reads the first 20 bytes as the only account that may use the salt, and the
 * 21st as whether the address shall differ by chain: this names no account and wants the same address everywhere.
 */
export const salt: Hex = `0x${"77617962696c6c".padEnd(64, "0")}`;

/**
 * Where a contract is, or would be, on every chain.
 *
 * @param initCode Creation code followed by the encoded constructor arguments.
 */
export function addressOf(initCode: Hex): `0x${string}` {
  // The factory hashes salts that name no account before it uses them.
  return getCreate2Address({ bytecode: initCode, from: createX, salt: keccak256(salt) });
}
