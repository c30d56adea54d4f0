import { expect } from "chai";
import { TypedDataEncoder, verifyTypedData } from "ethers";
import { type Address, hashTypedData } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import type { WitnessTransfer } from "../../../../src/records/depositWitness.ts";

export const owner = mnemonicToAccount("test test test test test test test test test test test junk");
export const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const receiver = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
export const terms = { deadline: 1_900_000_000n, nonce: 7n, receiver } as const;

type Members = readonly { name: string; type: string }[];

/** Expects Permit2's domain on a chain, and a permit of `amount` to the receiver under {@link terms}. */
export function expectPermit(
  { domain, message, primaryType }: WitnessTransfer<unknown, unknown>,
  chainId: number,
  amount: bigint,
): void {
  const verifyingContract: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
  expect(primaryType).to.equal("PermitWitnessTransferFrom");
  expect(domain).to.deep.equal({ chainId, name: "Permit2", verifyingContract });
  const { deadline, nonce } = terms;
  const permit = { deadline, nonce, permitted: { amount, token }, spender: receiver };
  expect(message).to.deep.include(permit);
}

/** Expects that ethers hashes typed data as viem does, and verifies viem's signature, with `types` of the contract. */
export async function expectSameHash(
  typedData: WitnessTransfer<Record<string, Members>, object>,
  types: Record<string, { name: string; type: string }[]>,
): Promise<void> {
  const [witness = ""] = Object.keys(types);
  const { domain, message } = typedData;
  const ethersTypes = {
    ...types,
    PermitWitnessTransferFrom: [
      { name: "permitted", type: "TokenPermissions" },
      { name: "spender", type: "address" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
      { name: "witness", type: witness },
    ],
    TokenPermissions: [
      { name: "token", type: "address" },
      { name: "amount", type: "uint256" },
    ],
  };
  const signature = await owner.signTypedData(typedData as never);
  expect(verifyTypedData({ ...domain }, ethersTypes, message, signature)).to.equal(owner.address);
  const hash = TypedDataEncoder.hash({ ...domain }, ethersTypes, message);
  expect(hashTypedData(typedData as never)).to.equal(hash);
}
