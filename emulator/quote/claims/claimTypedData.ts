import { type Address, type Hex, hashTypedData, zeroAddress } from "viem";
import type { SignatureStep } from "../../../src/schema/quote/step.ts";
import { checkOf } from "../steps/buildSteps.ts";

export type SignedClaim = {
  readonly wallet: Address;
  readonly chainId: number;
  readonly currency: Address;
  /** Taken from the balance, in smallest units of the currency. */
  readonly amount: bigint;
  /** Paid to the recipient: the amount less gas. */
  readonly payout: bigint;
  readonly recipient: Address;
  readonly requestId: Hex;
  /** Last second of validity; Unix time of the service. */
  readonly deadline: number;
};

const primaryType = "Claim";
const types = {
  [primaryType]: [
    { name: "wallet", type: "address" },
    { name: "chainId", type: "uint256" },
    { name: "currency", type: "address" },
    { name: "amount", type: "uint256" },
    { name: "payout", type: "uint256" },
    { name: "recipient", type: "address" },
    { name: "requestId", type: "bytes32" },
    { name: "deadline", type: "uint256" },
  ],
};

function domainOf({ chainId }: SignedClaim) {
  return { chainId, name: "RelayAppFees", verifyingContract: zeroAddress, version: "1" };
}

/** Hash that the wallet signs. */
export function claimDigest(claim: SignedClaim): Hex {
  const { amount, chainId, deadline, payout, ...rest } = claim;
  return hashTypedData({
    domain: domainOf(claim),
    message: { ...rest, amount, chainId: BigInt(chainId), deadline: BigInt(deadline), payout },
    primaryType,
    types,
  });
}

/** The step whose signature claims the fees. */
export function claimStep(claim: SignedClaim, symbol: string): SignatureStep {
  const { amount, payout, requestId } = claim;
  return {
    action: "Sign the claim in your wallet",
    depositAddress: "",
    description: `Claim app fees in ${symbol}`,
    id: "authorize",
    items: [
      {
        check: checkOf(requestId),
        data: {
          post: { body: { kind: "claim", requestId }, endpoint: "/execute/permits", method: "POST" },
          sign: {
            domain: domainOf(claim),
            primaryType,
            signatureKind: "eip712",
            types,
            value: { ...claim, amount: amount.toString(), payout: payout.toString() },
          },
        },
        status: "incomplete",
      },
    ],
    kind: "signature",
    requestId,
  };
}
