import type { Address } from "viem";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import type { Context } from "../../context/Context.ts";
import type { SearchedBalances } from "../addresses/searchedBalances.ts";
import { settleSvmSweeps } from "./advanceSvmSweeps.ts";
import { searchSvm } from "./svmLedger.ts";

/** Balances on the SVM chain, which has its present state only: it is read until the search covers what was read. */
export async function svmBalances(
  address: string,
  chain: SvmChain,
  context: Context,
): Promise<SearchedBalances> {
  const account = address as Address;
  const { ledger } = svmParts(chain);
  for (;;) {
    await settleSvmSweeps(chain, context);
    const { slot } = await ledger.head();
    // A search takes a part of a long history.
    if ((await searchSvm(chain, context)) < slot) continue;
    const read = await Promise.all(
      chain.currencies.map(
        async ({ address }) => [address, await chain.balanceOf(address, account)] as const,
      ),
    );
    if ((await ledger.head()).slot !== slot) continue;
    const balances = new Map(read);
    return { balanceOf: async ({ address }) => balances.get(address) ?? 0n, blockNumber: BigInt(slot) };
  }
}
