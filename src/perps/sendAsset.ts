import { type Address, numberToHex, type TypedDataParameter, zeroAddress } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readChainId, readObject } from "../internal/readParts.ts";
import { type SendAssetParameters, sendAssetParametersSchema } from "../schema/quote/exchangeAction.ts";
import { readBy } from "../schema/wire/readBy.ts";

/** Primary type of the typed data. */
export const sendAssetPrimaryType = "HyperliquidTransaction:SendAsset";

/** Signed members. The message also contains `type` and `signatureChainId`, which are not signed. */
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

/** Omits `EIP712Domain`: wallets and libraries add it, and some reject an existing one. */
const sendAssetTypes = { [sendAssetPrimaryType]: sendAssetMembers };

/** Body for the exchange: exactly the signed message. */
export type SendAssetAction = SendAssetParameters & {
  readonly type: "sendAsset";
  /** Chain id of the signature's domain, in hexadecimal. */
  readonly signatureChainId: string;
};

export type SendAssetTypedDataParameters = {
  /** Parameters of the caller's own. Those of a quote's step are data until `verifyWithdrawal` proves them. */
  parameters: SendAssetParameters;
  /** Chain id of the signature's domain: the wallet's active chain. Does not affect the transfer. Default: 1. */
  chainId?: number | undefined;
};

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
  /** Not a literal type: libraries would infer a `bigint` nonce, which JSON cannot represent. */
  readonly types: Readonly<Record<string, readonly TypedDataParameter[]>>;
};

/**
 * Builds the typed data of a transfer from an account on the exchange (specification, "Perps-exchange integration", 7).
 * Its `message` is the action to post.
 *
 * @returns Typed data for viem's `signTypedData`.
 * @throws {InvalidParameterError} For an invalid or unknown field, by name.
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
