import type { Address } from "viem";
import { encodeSvmAddress } from "../../../../src/svm/address.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import { isSvmHistory } from "../../../chains/svm/svmHistory.ts";
import { svmParts } from "../../../chains/svm/svmParts.ts";
import type { Context } from "../../../context/Context.ts";
import type { SearchedBalances } from "../../addresses/reindexAddress.ts";
import { settleSvmSweeps } from "./advanceSvmSweeps.ts";
import { searchSvm } from "./svmLedger.ts";

/** Balances on the SVM chain, which has its present state only: the search follows up to the slot that was read. */
export async function svmBalances(
  address: string,
  chain: SvmChain,
  context: Context,
): Promise<SearchedBalances> {
  const owner = encodeSvmAddress({ bytes: address as Address });
  const { balances, head } = await svmParts(chain).ledger.read(async (machine, head) => {
    const read = chain.currencies.map(async ({ address: bytes }) => {
      const currency = encodeSvmAddress({ bytes });
      return [bytes, await machine.balanceOf({ currency, owner })] as const;
    });
    return { balances: new Map(await Promise.all(read)), head };
  });
  const blockNumber = BigInt(head.slot);
  let before = Number.NEGATIVE_INFINITY;
  // A search takes a part of a long history.
  while (await isSvmHistory(context.store, head)) {
    const searched = await searchSvm(chain, context);
    if (searched >= head.slot) {
      // A sweep that is executed now has a later slot, and its money stays reserved.
      await settleSvmSweeps(chain, context);
      return { balanceOf: async ({ address }) => balances.get(address) ?? 0n, blockNumber };
    }
    // A fault hides a deposit: the search stops before it.
    if (searched <= before) break;
    before = searched;
  }
  // The search does not cover what was read, or a reset or a restored snapshot has replaced it.
  return { balanceOf: async () => 0n, blockNumber };
}
