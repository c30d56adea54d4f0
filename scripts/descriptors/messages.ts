import { productionTrust } from "../../src/calls/verify/productionTrust.ts";
import { type Deployment, toReplace } from "./contracts.ts";

type Member = { readonly name: string; readonly type: string };

/** A message of EIP-712 that an account signs. */
export type DescribedMessage = {
  readonly intent: string;
  readonly primaryType: string;
  readonly types: Readonly<Record<string, readonly Member[]>>;
};

/** Messages of one domain. */
export type DescribedDomain = {
  readonly domain: { readonly name: string; readonly version?: string };
  readonly deployments: readonly Deployment[];
  readonly messages: readonly DescribedMessage[];
};

/** Members as `type name`, separated by commas. */
const members = (text: string): Member[] =>
  text.split(", ").map((member) => {
    const [type = "", name = ""] = member.split(" ");
    return { name, type };
  });

const permit2Transfer = (witness: string, witnessMembers: string): DescribedMessage["types"] => ({
  PermitWitnessTransferFrom: members(
    `TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, ${witness} witness`,
  ),
  TokenPermissions: members("address token, uint256 amount"),
  [witness]: members(witnessMembers),
});

/** The described messages, by the name of their descriptor. The tests compare them with the library's typed data. */
export const DOMAINS: Readonly<Record<string, DescribedDomain>> = {
  ExpiryCoSignature: {
    deployments: toReplace,
    domain: { name: "Waybill", version: "1" },
    messages: [
      {
        intent: "Allow a payment until",
        primaryType: "Expiry",
        types: { Expiry: members("bytes32 requestId, uint256 deadline") },
      },
    ],
  },
  Permit2Payments: {
    deployments: productionTrust.chains.flatMap(({ chainId, permit2 }) =>
      permit2 === undefined ? [] : [{ address: permit2, chainId }],
    ),
    domain: { name: "Permit2" },
    messages: [
      {
        intent: "Pay for a request",
        primaryType: "PermitWitnessTransferFrom",
        types: permit2Transfer(
          "DepositWitness",
          "bytes32 requestId, uint256 destinationChainId, bytes32 destinationUser, address receiver",
        ),
      },
      {
        intent: "Pay for an order",
        primaryType: "PermitWitnessTransferFrom",
        types: permit2Transfer("OrderDepositWitness", "bytes32 orderId, address receiver"),
      },
    ],
  },
};
