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
