import { pbkdf2Sync } from "node:crypto";
import { type Address, bytesToHex, concatHex, getContractAddress, type Hex, keccak256 } from "viem";
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/** The mnemonic that every local development chain uses. It holds no money anywhere else; never send any to it. */
export const testMnemonic = "test test test test test test test test test test test junk";

/** The first accounts are the users'; the service's follow. */
const userCount = 10;

/** An account and its key. The keys are public: they follow from {@link testMnemonic}. */
export type LocalKey = { readonly account: PrivateKeyAccount; readonly privateKey: Hex };

/** Accounts by role, the same on every local chain. */
export type LocalAccounts = {
  /** For clients of the emulator. */
  readonly users: readonly LocalKey[];
  /** Deploys the contracts and mints the tokens. */
  readonly deployer: LocalKey;
  /** Signs records and orders, fills and refunds. */
  readonly solver: LocalKey;
  /** Signs withdrawals from the depository. */
  readonly allocator: LocalKey;
  /** Deploys the factory of deposit addresses, and nothing else. */
  readonly founder: LocalKey;
};

let derived: LocalAccounts | undefined;

/** The local accounts (BIP-39, Ethereum's BIP-44 path). They never change, and are derived once per process. */
export function deriveAccounts(): LocalAccounts {
  derived ??= derive();
  return derived;
}

/** Keys that chains in this process unlock. */
export function unlockedKeys({ allocator, deployer, founder, solver, users }: LocalAccounts): readonly Hex[] {
  return [...users, deployer, solver, allocator, founder].map(({ privateKey }) => privateKey);
}

function derive(): LocalAccounts {
  // BIP-39: the seed is PBKDF2 over the words, salted with "mnemonic" and an empty passphrase.
  const seed = pbkdf2Sync(testMnemonic, "mnemonic", 2048, 64, "sha512");
  // The common part of the path is derived once: each step costs as much as an account.
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0");
  const at = (addressIndex: number): LocalKey => {
    const key = parent.deriveChild(addressIndex).privateKey;
    if (key === null) throw new Error("a derived key has no private part");
    const privateKey = bytesToHex(key);
    return { account: privateKeyToAccount(privateKey), privateKey };
  };
  return {
    allocator: at(userCount + 2),
    deployer: at(userCount),
    founder: at(userCount + 3),
    solver: at(userCount + 1),
    users: Array.from({ length: userCount }, (_, index) => at(index)),
  };
}

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
