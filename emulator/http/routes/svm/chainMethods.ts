import * as z from "zod";
import { blockhashSlots } from "../../../chains/svm/openSvmLedger.ts";
import type { SvmParts } from "../../../chains/svm/svmParts.ts";
import { atSlot, optionsSchema, readParams, type SvmMethods } from "./SvmMethod.ts";

const sizeParams = z.tuple([z.int().min(0), optionsSchema]).or(z.tuple([z.int().min(0)]));

/** Methods on the chain as a whole. */
export function chainMethods({ ledger }: Pick<SvmParts, "ledger">): SvmMethods {
  const slot = async () => (await ledger.head()).slot;
  return {
    getBlockHeight: slot,
    getHealth: async () => "ok",
    getLatestBlockhash: async () => {
      const head = await ledger.head();
      const { blockhash } = head;
      return atSlot(head.slot, { blockhash, lastValidBlockHeight: head.slot + blockhashSlots });
    },
    getMinimumBalanceForRentExemption: async (params) => {
      const [bytes] = readParams(sizeParams, params);
      return ledger.read((machine) => Number(machine.rentOf(bytes)));
    },
    getRecentPrioritizationFees: async () => [],
    getSlot: slot,
    getVersion: async () => ({ "feature-set": 0, "solana-core": "2.0.0" }),
  };
}
