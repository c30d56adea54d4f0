import { type Address, numberToHex, type TypedDataParameter, zeroAddress } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readChainId, readObject } from "../internal/readParts.ts";
import { type SendAssetParameters, sendAssetParametersSchema } from "../schema/quote/exchangeAction.ts";
import { readBy } from "../schema/wire/readBy.ts";

/** The name of the typed data's main type. */
export const sendAssetPrimaryType = "HyperliquidTransaction:SendAsset";

/** Members of what is signed; `type` and `signatureChainId` go along in the message, but are not. */
export const sendAssetMembers = [
  { name: "hyperliquidChain", type: "string" },
  { name: "destination", type: "string" },
  { name: "sourceDex", type: "string" },
  { name: "destinationDex", type: "string" },
  { name: "token", type: "string" },
  { name: "amount", type: "string" },
  { name: "fromSubAccount", type: "string" },
  { name: "nonce", type: "uint64" },
] as const;

/** The domain's own type is left out: wallets and libraries add it, and some refuse one that is there. */
const sendAssetTypes = { [sendAssetPrimaryType]: sendAssetMembers };

/** What is posted to the exchange: exactly what is signed. */
export type SendAssetAction = SendAssetParameters & {
  readonly type: "sendAsset";
  /** The chain of the signature's domain in hexadecimal. */
  readonly signatureChainId: string;
};

/** Parameters of {@link sendAssetTypedData}. */
export type SendAssetTypedDataParameters = {
  /** `action.parameters` of a quote's deposit step. */
  parameters: SendAssetParameters;
  /** The chain of the signature's domain: the wallet's active one. It has no influence on the money. Default 1. */
  chainId?: number | undefined;
};

/** Return value of {@link sendAssetTypedData}. */
export type SendAssetTypedDataReturnType = {
  readonly domain: {
    readonly chainId: number;
    readonly name: "HyperliquidSignTransaction";
    readonly verifyingContract: Address;
    readonly version: "1";
  };
  /** The action to post. */
  readonly message: SendAssetAction;
  readonly primaryType: typeof sendAssetPrimaryType;
  /** No literal: libraries would take the nonce for a `bigint` then, which JSON does not carry. */
  readonly types: Readonly<Record<string, readonly TypedDataParameter[]>>;
};

/** Errors of {@link sendAssetTypedData}. */
export type SendAssetTypedDataErrorType = InvalidParameterError;

/**
 * What the owner of an account on the exchange signs to send money from it (specification, "Perps-exchange integration", 7).
 * Its `message` is the action to post.
 *
 * @param parameters The action's parameters, and the wallet's active chain.
 * @returns Typed data as viem's `signTypedData` takes it.
 * @throws {InvalidParameterError} Naming the field that does not fit. Fields that no wallet should sign are refused.
 *
 * @example
 * import { mnemonicToAccount } from "viem/accounts";
 * import { sendAssetTypedData } from "waybill/perps";
 *
 * const account = mnemonicToAccount("test test test test test test test test test test test junk");
 * const parameters = {
 *   amount: "25.5",
 *   destination: "0xf70da97812cb96acdf810712aa562db8dfa3dbef",
 *   destinationDex: "",
 *   fromSubAccount: "",
 *   hyperliquidChain: "Mainnet",
 *   nonce: 1_700_000_000_000,
 *   sourceDex: "",
 *   token: "USDC:0x6d1e7cde53ba9467b783cb7c530ce054",
 * };
 * const signature = await account.signTypedData(sendAssetTypedData({ chainId: 8453, parameters }));
 */
export function sendAssetTypedData({
  chainId = 1,
  parameters,
}: SendAssetTypedDataParameters): SendAssetTypedDataReturnType {
  const domainChainId = readChainId(chainId, "chainId");
  const fields = readBy(sendAssetParametersSchema, readObject(parameters, "parameters"), "parameters");
  const unsigned = Object.keys(fields).find(
    (name) => !sendAssetMembers.some((member) => member.name === name),
  );
  if (unsigned !== undefined) {
    const reason = "it would be posted without being signed";
    throw new InvalidParameterError({ parameter: `parameters.${unsigned.slice(0, 80)}`, reason });
  }
  return {
    domain: {
      chainId: domainChainId,
      name: "HyperliquidSignTransaction",
      verifyingContract: zeroAddress,
      version: "1",
    },
    message: { ...fields, signatureChainId: numberToHex(domainChainId), type: "sendAsset" },
    primaryType: sendAssetPrimaryType,
    types: sendAssetTypes,
  };
}
