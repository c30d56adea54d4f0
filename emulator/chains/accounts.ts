import { pbkdf2Sync } from "node:crypto";
import type { Hex } from "viem";
import { bytesToHex } from "viem";
import { type HDAccount, HDKey, hdKeyToAccount } from "viem/accounts";

/** The mnemonic that every local development chain uses. It holds no money anywhere else; never send any to it. */
export const testMnemonic = "test test test test test test test test test test test junk";

/** How many accounts each chain unlocks; the first ones are the user's, the last ones the service's. */
export const accountCount = 20;
const userCount = 10;

/** An account and its key. The keys are public: they follow from {@link testMnemonic}. */
export type LocalKey = { readonly account: HDAccount; readonly privateKey: Hex };

/** Who is who on the local chains; the same on every chain. */
export type LocalAccounts = {
  /** For whoever uses the emulator. */
  readonly users: readonly LocalKey[];
  /** Deploys the contracts and mints the tokens. */
  readonly deployer: LocalKey;
  /** Signs records and orders, fills and refunds. */
  readonly solver: LocalKey;
  /** Signs withdrawals from the depository. */
  readonly allocator: LocalKey;
};

/** Derives the local accounts (BIP-39, BIP-44 path of Ethereum). */
export function deriveAccounts(): LocalAccounts {
  // BIP-39: the seed is PBKDF2 over the words, salted with "mnemonic" and an empty passphrase.
  const seed = pbkdf2Sync(testMnemonic, "mnemonic", 2048, 64, "sha512");
  const root = HDKey.fromMasterSeed(seed);
  const derive = (addressIndex: number): LocalKey => {
    const account = hdKeyToAccount(root, { addressIndex });
    const key = account.getHdKey().privateKey;
    if (key === null) throw new Error("a derived key has no private part");
    return { account, privateKey: bytesToHex(key) };
  };
  return {
    allocator: derive(userCount + 2),
    deployer: derive(userCount),
    solver: derive(userCount + 1),
    users: Array.from({ length: userCount }, (_, index) => derive(index)),
  };
}
