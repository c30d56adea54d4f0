import type { Address } from "viem";
import { readUint256 } from "../internal/readUint256.ts";

/** Address of Permit2's usual deployment, the same on every chain that has it. */
const permit2Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** Members of `PermitWitnessTransferFrom` without the last one, the witness. */
export const transferMembers = [
  { name: "permitted", type: "TokenPermissions" },
  { name: "spender", type: "address" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;

/** Members of `TokenPermissions`. */
export const tokenPermissions = [
  { name: "token", type: "address" },
  { name: "amount", type: "uint256" },
] as const;

/** Transfer parameters of the owner. */
export type TransferTerms = {
  /** Unused nonce of the owner at Permit2. Nonces may be used in any order. */
  nonce: bigint;
  /** Last second of the transfer, Unix time. */
  deadline: bigint;
};

/** Typed data of a Permit2 transfer with a witness. */
export type WitnessTransfer<Types, Witness> = {
  readonly domain: {
    readonly name: "Permit2";
    readonly chainId: number;
    readonly verifyingContract: Address;
  };
  readonly types: Types;
  readonly primaryType: "PermitWitnessTransferFrom";
  readonly message: {
    readonly permitted: { readonly token: Address; readonly amount: bigint };
    readonly spender: Address;
    readonly nonce: bigint;
    readonly deadline: bigint;
    readonly witness: Witness;
  };
};

/**
 * Typed data of a Permit2 transfer to the receiver that the witness names.
 *
 * @throws {InvalidParameterError} Names the nonce or the deadline when it is no uint256.
 */
export function witnessTransfer<Types, Witness extends { readonly receiver: Address }>(
  types: Types,
  witness: Witness,
  parameters: TransferTerms & {
    chainId: number;
    permitted: { readonly token: Address; readonly amount: bigint };
  },
): WitnessTransfer<Types, Witness> {
  const { chainId, deadline, nonce, permitted } = parameters;
  return {
    domain: { chainId, name: "Permit2", verifyingContract: permit2Address },
    message: {
      deadline: readUint256(deadline, "deadline"),
      nonce: readUint256(nonce, "nonce"),
      permitted,
      spender: witness.receiver,
      witness,
    },
    primaryType: "PermitWitnessTransferFrom",
    types,
  };
}
