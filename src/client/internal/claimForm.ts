import { type Hex, zeroAddress } from "viem";
import type { Eip712Sign, SignatureStep } from "../../schema/quote/step.ts";

/** The fields of a claim. Amounts are in smallest units of the currency. */
export type ClaimValue = {
  readonly wallet: string;
  readonly chainId: number;
  readonly currency: string;
  /** Taken from the balance, as a decimal string. */
  readonly amount: string;
  /** Paid to the recipient: the amount less gas. */
  readonly payout: string;
  readonly recipient: string;
  readonly requestId: Hex;
  /** Unix seconds. */
  readonly deadline: number;
};

const members = [
  { name: "wallet", type: "address" },
  { name: "chainId", type: "uint256" },
  { name: "currency", type: "address" },
  { name: "amount", type: "uint256" },
  { name: "payout", type: "uint256" },
  { name: "recipient", type: "address" },
  { name: "requestId", type: "bytes32" },
  { name: "deadline", type: "uint256" },
];

/** The typed data of a claim: the only one that `verifyClaim` accepts. */
export function claimTypedData(value: ClaimValue): Eip712Sign {
  const domain = {
    chainId: value.chainId,
    name: "RelayAppFees",
    verifyingContract: zeroAddress,
    version: "1",
  };
  return { domain, primaryType: "Claim", signatureKind: "eip712", types: { Claim: members }, value };
}

/** The step that `verifyClaim` returns. Its texts are the library's. */
export function claimStep(
  requestId: Hex,
  sign: Eip712Sign | { signatureKind: "eip191"; message: Hex },
): SignatureStep {
  const post = { body: { kind: "claim", requestId }, endpoint: "/execute/permits", method: "POST" };
  return {
    action: "Sign the claim in your wallet",
    description: "Claim app fees",
    id: "authorize",
    items: [{ data: { post, sign }, status: "incomplete" }],
    kind: "signature",
    requestId,
  };
}
