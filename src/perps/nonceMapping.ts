import { type Address, type Hex, hashTypedData, zeroAddress } from "viem";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readChainId } from "../internal/readParts.ts";
import { type RecoverSignerErrorType, recoverSigner } from "../records/recoverSigner.ts";
import type { AuthorizeRequest } from "../schema/quote/submission.ts";
import { exchangeChainId } from "./constants.ts";
import { readNonce } from "./nonce.ts";

/** The exchange's name in typed data. */
export const exchangeName = "hyperliquid";

/** Members of the typed data, version 2. */
export const nonceMappingTypes = {
  NonceMapping: [
    { name: "chainId", type: "string" },
    { name: "wallet", type: "address" },
    { name: "depositor", type: "address" },
    { name: "id", type: "bytes32" },
    { name: "nonce", type: "uint256" },
  ],
} as const;

/** A statement of which nonce on the exchange pays for which order. */
export type NonceMapping = {
  /** The account on the exchange, which signs. */
  wallet: Address;
  depositor: Address;
  /** The order's id. */
  orderId: Hex;
  /** The nonce of the transfer on the exchange, unix milliseconds. */
  nonce: bigint;
  /** The chain of the signature's domain: the wallet's active one. It has no influence on the money. Default 1. */
  chainId?: number | undefined;
};

/** Parameters of {@link nonceMappingTypedData}. */
export type NonceMappingTypedDataParameters = NonceMapping;

/** Return value of {@link nonceMappingTypedData}. */
export type NonceMappingTypedDataReturnType = {
  readonly domain: {
    readonly chainId: number;
    readonly name: "RelayNonceMapping";
    readonly verifyingContract: Address;
    readonly version: "2";
  };
  readonly message: {
    readonly chainId: string;
    readonly wallet: Address;
    readonly depositor: Address;
    readonly id: Hex;
    readonly nonce: bigint;
  };
  readonly primaryType: "NonceMapping";
  readonly types: typeof nonceMappingTypes;
};

/** Parameters of {@link nonceMappingBody}. */
export type NonceMappingBodyParameters = NonceMapping;

/** Return value of {@link nonceMappingBody}. */
export type NonceMappingBodyReturnType = Required<AuthorizeRequest> & { depositor: Address };

/** Parameters of {@link recoverNonceMappingSigner}. */
export type RecoverNonceMappingSignerParameters = NonceMapping & {
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};

/** Return value of {@link recoverNonceMappingSigner}. */
export type RecoverNonceMappingSignerReturnType = Address;

/** Errors of {@link recoverNonceMappingSigner}. */
export type RecoverNonceMappingSignerErrorType = RecoverSignerErrorType;

/** Errors of {@link nonceMappingTypedData} and {@link nonceMappingBody}. */
export type NonceMappingErrorType = InvalidParameterError;

/**
 * What the owner of an account on the exchange signs to say which transfer pays for an order (specification,
 * "Perps-exchange integration", 5).
 *
 * @param parameters The statement.
 * @returns Typed data as viem's `signTypedData` takes it.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { mnemonicToAccount } from "viem/accounts";
 * import { nonceMappingTypedData } from "waybill/perps";
 *
 * const account = mnemonicToAccount("test test test test test test test test test test test junk");
 * const typedData = nonceMappingTypedData({
 *   depositor: account.address,
 *   nonce: 1_700_000_000_000n,
 *   orderId: `0x${"0d".repeat(32)}`,
 *   wallet: account.address,
 * });
 * const signature = await account.signTypedData(typedData);
 */
export function nonceMappingTypedData(
  parameters: NonceMappingTypedDataParameters,
): NonceMappingTypedDataReturnType {
  const { chainId, depositor, nonce, orderId, wallet } = readMapping(parameters);
  return {
    domain: { chainId, name: "RelayNonceMapping", verifyingContract: zeroAddress, version: "2" },
    message: { chainId: exchangeName, wallet, depositor, id: orderId, nonce },
    primaryType: "NonceMapping",
    types: nonceMappingTypes,
  };
}

/**
 * The body that goes to `/authorize` with the signature: the same statement, with the same chain of the domain.
 *
 * @param parameters The statement that was signed.
 * @returns What `authorize` of `waybill/client` takes, together with the signature.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { nonceMappingBody } from "waybill/perps";
 *
 * const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const orderId = `0x${"0d".repeat(32)}` as const;
 * nonceMappingBody({ depositor: wallet, nonce: 1_700_000_000_000n, orderId, wallet }).walletChainId; // 1337
 */
export function nonceMappingBody(parameters: NonceMappingBodyParameters): NonceMappingBodyReturnType {
  const { chainId, depositor, nonce, orderId, wallet } = readMapping(parameters);
  return {
    depositor,
    id: orderId,
    nonce: Number(nonce),
    signatureChainId: chainId,
    type: "nonce-mapping",
    wallet,
    walletChainId: exchangeChainId,
  };
}

/**
 * Recovers who signed a statement.
 *
 * @param parameters The statement and the signature.
 * @returns The signer's address: the statement holds when it is its wallet.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 * @throws {SignatureInvalidError} When no key can have made the signature.
 *
 * @example
 * import { type NonceMapping, recoverNonceMappingSigner } from "waybill/perps";
 *
 * declare const mapping: NonceMapping;
 * declare const signature: `0x${string}`;
 * const signer = await recoverNonceMappingSigner({ ...mapping, signature });
 */
export async function recoverNonceMappingSigner({
  signature,
  ...mapping
}: RecoverNonceMappingSignerParameters): Promise<RecoverNonceMappingSignerReturnType> {
  return recoverSigner({ digest: hashTypedData(nonceMappingTypedData(mapping)), signature });
}

function readMapping({ chainId = 1, depositor, nonce, orderId, wallet }: NonceMapping) {
  return {
    chainId: readChainId(chainId, "chainId"),
    depositor: readAddress(depositor, "depositor"),
    nonce: readNonce(nonce, "nonce"),
    orderId: readHex(orderId, "orderId", 32),
    wallet: readAddress(wallet, "wallet"),
  };
}
