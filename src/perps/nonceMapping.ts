import { type Address, type Hex, hashTypedData, zeroAddress } from "viem";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readChainId } from "../internal/readParts.ts";
import { recoverSigner } from "../records/recoverSigner.ts";
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

/** A statement that links a nonce on the exchange to an order. */
export type NonceMapping = {
  /** Signing account on the exchange. */
  wallet: Address;
  depositor: Address;
  /** The order's id. */
  orderId: Hex;
  /** The nonce of the transfer on the exchange, unix milliseconds. */
  nonce: bigint;
  /** Chain id of the signature's domain: the wallet's active chain. Does not affect the transfer. Default: 1. */
  chainId?: number | undefined;
};

export type NonceMappingTypedDataParameters = NonceMapping;

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

export type NonceMappingBodyParameters = NonceMapping;

export type NonceMappingBodyReturnType = Required<AuthorizeRequest> & { depositor: Address };

export type RecoverNonceMappingSignerParameters = NonceMapping & {
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};

export type RecoverNonceMappingSignerReturnType = Address;

/**
 * Builds the typed data that links a transfer on the exchange to an order (specification, "Perps-exchange integration",
 * 5).
 *
 * @returns Typed data for viem's `signTypedData`.
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
 * Builds the body for `/authorize`: the signed statement with its domain's chain.
 *
 * @returns Parameters of `authorize` of `waybill/client`, without the signature.
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
 * Recovers the signer of a statement.
 *
 * @returns The signer's address. The statement is valid if it equals its `wallet`.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 * @throws {SignatureInvalidError} For a signature that no key can produce.
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
