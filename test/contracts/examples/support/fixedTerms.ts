import { keccak256, toUtf8Bytes, ZeroAddress, ZeroHash } from "ethers";
import { type FacetStage, facetOrder, facetSolver, ORIGIN } from "../../../helpers/contracts/facetStage.ts";

/** Terms of the stage's orders, without those that a deposit sets. */
export function fixedTerms(stage: FacetStage, currency: string = ZeroAddress) {
  const [payment] = facetOrder(stage, 1n).output.payments;
  return {
    solver: facetSolver.address,
    originChain: keccak256(toUtf8Bytes(ORIGIN)),
    currency,
    amount: 0n,
    refundTo: stage.refundTo.address,
    destinationChain: keccak256(toUtf8Bytes("arbitrum")),
    recipient: keccak256(stage.receiver),
    outputCurrency: keccak256(payment?.currency ?? "0x"),
    minimumAmount: 0n,
    callsHash: ZeroHash,
    earliestDeadline: 0n,
    latestDeadline: 0n,
    maximumFees: 0n,
  };
}
