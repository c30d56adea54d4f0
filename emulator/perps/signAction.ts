import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { sendAssetTypedData } from "../../src/perps/sendAsset.ts";
import { splitExchangeSignature } from "../../src/perps/signWithdrawal.ts";
import {
  type ExchangeRequest,
  exchangeRequestSchema,
  type SendAssetParameters,
} from "../../src/schema/quote/exchangeAction.ts";
import { assetByToken, type ExchangeAsset } from "./exchangeCurrencies.ts";
import { hyperliquidChain, identifyAction } from "./executeAction.ts";

/** A transfer within one dex, from the signer. */
type Transfer = {
  readonly asset: ExchangeAsset;
  /** Text of the exchange, such as `25.5`. */
  readonly amount: string;
  readonly destination: string;
  readonly nonce: number;
};

/** Parameters of the action that makes a transfer. */
export function transferParameters({ amount, asset, destination, nonce }: Transfer): SendAssetParameters {
  return {
    amount,
    destination: destination.toLowerCase(),
    destinationDex: asset.dex,
    fromSubAccount: "",
    hyperliquidChain,
    nonce,
    sourceDex: asset.dex,
    token: asset.token,
  };
}

/** Signs a transfer. Returns its bytes, which are posted as they are, and the hash under which the exchange lists it. */
export async function signTransfer(
  account: PrivateKeyAccount,
  transfer: Transfer,
): Promise<{ readonly raw: string; readonly hash: Hex }> {
  const typedData = sendAssetTypedData({ parameters: transferParameters(transfer) });
  const signature = splitExchangeSignature({ signature: await account.signTypedData(typedData) });
  const request: ExchangeRequest = { action: typedData.message, nonce: transfer.nonce, signature };
  const { hash } = await identifyAction(request);
  return { hash, raw: JSON.stringify(request) };
}

/** Reads stored bytes of {@link signTransfer}; `undefined` for those of another ledger. */
export function readSigned(raw: string): ExchangeRequest | undefined {
  return raw.startsWith("{") ? exchangeRequestSchema.parse(JSON.parse(raw)) : undefined;
}

/** Currency that the recipient of an action receives. */
export function receivedAsset({ action }: ExchangeRequest): ExchangeAsset | undefined {
  return assetByToken(action.destinationDex, action.token);
}
