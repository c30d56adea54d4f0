import { createHmac, pbkdf2Sync } from "node:crypto";
import type { KeyPairSigner } from "@solana/kit";
import { testMnemonic } from "../accounts.ts";
import type { SvmPackages } from "./loadSvm.ts";

/** The first accounts are the users'; the solver's and the faucet's follow. */
const userCount = 3;

/** An account of the SVM chain and its private key: 32 bytes, public as it follows from the test mnemonic. */
type SvmKey = { readonly signer: KeyPairSigner; readonly privateKey: Uint8Array };

/** Accounts by role, the same on every start. */
export type SvmAccounts = {
  /** For clients of the emulator. */
  readonly users: readonly SvmKey[];
  /** Receives deposits, fills and refunds. */
  readonly solver: SvmKey;
  /** Pays airdrops. */
  readonly faucet: SvmKey;
};

/** Derives the accounts of the SVM chain at `m/44'/501'/n'/0'` of the test mnemonic, as wallets do (SLIP-0010). */
export async function deriveSvmAccounts({ kit }: Pick<SvmPackages, "kit">): Promise<SvmAccounts> {
  const seed = pbkdf2Sync(testMnemonic, "mnemonic", 2048, 64, "sha512");
  const keys = await Promise.all(
    Array.from({ length: userCount + 2 }, async (_, index) => {
      const privateKey = deriveKey(seed, [44, 501, index, 0]);
      return { privateKey, signer: await kit.createKeyPairSignerFromPrivateKeyBytes(privateKey) };
    }),
  );
  const [solver, faucet] = keys.slice(userCount);
  if (solver === undefined || faucet === undefined) throw new Error("too few accounts");
  return { faucet, solver, users: keys.slice(0, userCount) };
}

/** SLIP-0010 for Ed25519, which has hardened steps only. */
function deriveKey(seed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = createHmac("sha512", "ed25519 seed").update(seed).digest();
  for (const step of path) {
    const index = Buffer.alloc(4);
    index.writeUInt32BE(step + 0x8000_0000);
    const data = Buffer.concat([Buffer.alloc(1), node.subarray(0, 32), index]);
    node = createHmac("sha512", node.subarray(32)).update(data).digest();
  }
  return Uint8Array.from(node.subarray(0, 32));
}
