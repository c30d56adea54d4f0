import { type Address, type Hex, hashTypedData, zeroAddress } from "viem";
import { recoverSigner } from "../../src/records/recoverSigner.ts";
import type { AuthorizeRequest } from "../../src/schema/submission.ts";

/** The service's id of the perps exchange. */
export const exchangeChainId = 1337;
/** The exchange's name in typed data. */
const exchangeName = "hyperliquid";

const depositor = { name: "depositor", type: "address" } as const;
const before = [
  { name: "chainId", type: "string" },
  { name: "wallet", type: "address" },
] as const;
const behind = [
  { name: "id", type: "bytes32" },
  { name: "nonce", type: "uint256" },
] as const;

/** A statement of which nonce on the perps exchange belongs to an order. */
export type NonceMappingStatement = Pick<
  AuthorizeRequest,
  "depositor" | "id" | "nonce" | "signatureChainId"
> & {
  readonly wallet: Address;
};

/**
 * What the owner of `wallet` signs (specification, "Perps-exchange integration"); without a depositor, the first version of
 * the typed data.
 */
export function hashNonceMapping(statement: NonceMappingStatement): Hex {
  const { id, nonce, signatureChainId } = statement;
  const domain = {
    chainId: signatureChainId,
    name: "RelayNonceMapping",
    verifyingContract: zeroAddress,
  } as const;
  const message = { chainId: exchangeName, id, nonce: BigInt(nonce), wallet: lowerCase(statement.wallet) };
  return statement.depositor === undefined
    ? hashTypedData({
        domain: { ...domain, version: "1" },
        message,
        primaryType: "NonceMapping",
        types: { NonceMapping: [...before, ...behind] },
      })
    : hashTypedData({
        domain: { ...domain, version: "2" },
        message: { ...message, depositor: lowerCase(statement.depositor) },
        primaryType: "NonceMapping",
        types: { NonceMapping: [...before, depositor, ...behind] },
      });
}

/** Whether `wallet` signed the statement. */
export async function isSignedByWallet(statement: NonceMappingStatement, signature: Hex): Promise<boolean> {
  const digest = hashNonceMapping(statement);
  const signer = await recoverSigner({ digest, signature }).catch(() => undefined);
  return signer?.toLowerCase() === statement.wallet.toLowerCase();
}

/** Mixed case would be taken for a checksum; the interface does not look at it. */
function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}
