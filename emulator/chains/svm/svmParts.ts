import { createHmac } from "node:crypto";
import type { KeyPairSigner } from "@solana/kit";
import { type Hex, hexToBytes } from "viem";
import { svmNativeToken } from "../../../src/svm/constants.ts";
import { accountText } from "../accountText.ts";
import type { LocalCurrency } from "../Chain.ts";
import type { SvmPackages } from "./loadSvm.ts";
import type { SvmLedger } from "./openSvmLedger.ts";
import type { SvmChain } from "./SvmChain.ts";
import type { SvmAccounts } from "./svmAccounts.ts";
import type { SvmPool } from "./swap/svmPools.ts";

/** Ledger, keys, packages and pools of an SVM chain, with addresses in base58. */
export type SvmParts = {
  readonly accounts: SvmAccounts;
  readonly ledger: SvmLedger;
  readonly packages: SvmPackages;
  readonly pools: readonly SvmPool[];
};

/** The parts of a chain that `openSvmChain` made. */
export function svmParts({ svm }: Pick<SvmChain, "svm">): SvmParts {
  return svm as SvmParts;
}

/** Lamports below which a wallet cannot exist: the rent exemption of an account without data. */
export const leastWalletLamports = 890_880n;

/** Least payment that a deposit address can hold, in smallest units. */
export function leastSwept({ address }: Pick<LocalCurrency, "address">): bigint {
  const isLamports = accountText(address) === svmNativeToken;
  return isLamports ? leastWalletLamports : 0n;
}

/**
 * The key of a request's deposit address on the SVM chain. It follows from the solver's key, so that any process can
 * sweep the address, and no account can pay to it before the request exists.
 */
export function svmDepositKey(
  requestId: Hex,
  { accounts, packages }: Pick<SvmParts, "accounts" | "packages">,
): Promise<KeyPairSigner> {
  const seed = createHmac("sha256", accounts.solver.privateKey)
    .update("deposit address")
    .update(hexToBytes(requestId))
    .digest();
  return packages.kit.createKeyPairSignerFromPrivateKeyBytes(Uint8Array.from(seed));
}
