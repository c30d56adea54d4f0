import { type Address, concatHex, getContractAddress, type Hex, keccak256 } from "viem";
import type { LocalAccounts } from "./accounts.ts";

/** Proxy of a deposit address, before and after the address of its implementation; see `DepositAddressFactory.sol`. */
const proxyBefore = "0x3d603480600a3d3981f33615603257363d3d373d3d3d363d73";
const proxyAfter = "0x5af43d82803e903d91603057fd5bf35b00";

/**
 * Address of the factory of deposit addresses: the first contract of an account that makes no other, so it is the same on
 * every chain.
 */
export function depositFactoryAddress({ founder }: Pick<LocalAccounts, "founder">): Address {
  return getContractAddress({ from: founder.account.address, nonce: 0n });
}

/** The deposit address of a request, the same on every chain. It has no code before its first sweep. */
export function depositAddressOf(requestId: Hex, accounts: Pick<LocalAccounts, "founder">): Address {
  const from = depositFactoryAddress(accounts);
  const implementation = getContractAddress({ from, nonce: 1n });
  const bytecodeHash = keccak256(concatHex([proxyBefore, implementation, proxyAfter]));
  const address = getContractAddress({ bytecodeHash, from, opcode: "CREATE2", salt: requestId });
  return address.toLowerCase() as Address;
}
