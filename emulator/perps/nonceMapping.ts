import { type Address, type Hex, hashTypedData, type TypedDataParameter, zeroAddress } from "viem";
import { exchangeName, nonceMappingTypes } from "../../src/perps/nonceMapping.ts";
import { recoverSigner } from "../../src/records/recoverSigner.ts";
import type { AuthorizeRequest } from "../../src/schema/quote/submission.ts";

const { NonceMapping } = nonceMappingTypes;
/** The first version of the typed data has no depositor. */
const firstTypes: Readonly<Record<string, readonly TypedDataParameter[]>> = {
  NonceMapping: NonceMapping.filter(({ name }) => name !== "depositor"),
};

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
        types: firstTypes,
      })
    : hashTypedData({
        domain: { ...domain, version: "2" },
        message: { ...message, depositor: lowerCase(statement.depositor) },
        primaryType: "NonceMapping",
        types: nonceMappingTypes,
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
