import { zeroAddress } from "viem";

/** What a claim names besides its payout, request and deadline. */
export type NamedClaim = {
  readonly amount: string;
  readonly chainId: number;
  readonly currency: string;
  readonly recipient: string;
  readonly wallet: string;
};

/** The id of a claim's request. */
export const claimId = `0x${"a8".repeat(32)}` as const;

/** The steps of an honest service's answer, valid for five minutes, with a payout of two units by default. */
export function claimSteps(named: NamedClaim, payout = "2", now = Date.now()) {
  const deadline = Math.floor(now / 1_000) + 300;
  const types = {
    Claim: [
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
  const sign = {
    domain: { chainId: named.chainId, name: "RelayAppFees", verifyingContract: zeroAddress, version: "1" },
    primaryType: "Claim",
    signatureKind: "eip712",
    types,
    value: { ...named, deadline, payout, requestId: claimId },
  };
  const post = { body: { kind: "claim", requestId: claimId }, endpoint: "/execute/permits", method: "POST" };
  return [
    {
      action: "Sign the claim in your wallet",
      description: "Claim app fees",
      id: "authorize",
      items: [{ data: { post, sign }, status: "incomplete" }],
      kind: "signature",
      requestId: claimId,
    },
  ];
}
