import type { Hex } from "viem";
import { formatExchangeAmount } from "../../../src/perps/amounts.ts";
import { nonceMappingBody, nonceMappingTypedData } from "../../../src/perps/nonceMapping.ts";
import { sendAssetMembers, sendAssetPrimaryType } from "../../../src/perps/sendAsset.ts";
import type { SignatureStep, Step, TransactionStep } from "../../../src/schema/quote/step.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { assetByCurrency } from "../../perps/exchangeCurrencies.ts";
import { transferParameters } from "../../perps/signAction.ts";
import type { PricedIntent } from "../route/planRoute.ts";
import { statusCheck } from "./buildSteps.ts";

type WithdrawalIds = { readonly orderId: Hex; readonly requestId: Hex; readonly solver: Hex };

/**
 * The two steps of a withdrawal from the perps exchange: a statement of which nonce pays for the order, and the transfer
 * with that nonce to the solver (specification, "Perps-exchange integration", 5).
 */
export async function withdrawalSteps(
  priced: PricedIntent<Place>,
  ids: WithdrawalIds,
): Promise<readonly Step[]> {
  const { origin } = priced.read;
  if (isEvmChain(origin) || isSvmChain(origin)) throw new Error("the origin is no exchange");
  const nonce = await origin.nextNonce();
  return [authorizeStep(priced, ids, nonce), depositStep(priced, ids, nonce)];
}

function authorizeStep(
  { read }: PricedIntent<Place>,
  { orderId, requestId }: WithdrawalIds,
  nonce: number,
): SignatureStep {
  const statement = { depositor: read.user, nonce: BigInt(nonce), orderId, wallet: read.user };
  const { domain, message, primaryType, types } = nonceMappingTypedData(statement);
  return {
    action: "Sign authorization in your wallet",
    depositAddress: "",
    description: `Authorize the withdrawal of ${read.currencyIn.symbol}`,
    id: "authorize",
    items: [
      {
        // No check: the status changes only after the deposit.
        data: {
          post: { body: { ...nonceMappingBody(statement) }, endpoint: "/authorize", method: "POST" },
          sign: {
            domain: { ...domain },
            primaryType,
            signatureKind: "eip712",
            types: { NonceMapping: types.NonceMapping.map((member) => ({ ...member })) },
            value: { ...message, nonce },
          },
        },
        status: "incomplete",
      },
    ],
    kind: "signature",
    requestId,
  };
}

function depositStep(
  { amounts, read }: PricedIntent<Place>,
  { requestId, solver }: WithdrawalIds,
  nonce: number,
): TransactionStep {
  const asset = assetByCurrency(read.currencyIn.address);
  if (asset === undefined) throw new Error(`the exchange has no ${read.currencyIn.address}`);
  const amount = formatExchangeAmount({ amount: amounts.amountIn, decimals: asset.decimals });
  const parameters = transferParameters({ amount, asset, destination: solver, nonce });
  return {
    action: "Confirm transaction in your wallet",
    depositAddress: "",
    description: `Deposit ${read.currencyIn.symbol} to the service`,
    id: "deposit",
    items: [
      {
        check: statusCheck(requestId),
        data: {
          action: { parameters, type: "sendAsset" },
          eip712PrimaryType: sendAssetPrimaryType,
          eip712Types: { [sendAssetPrimaryType]: sendAssetMembers.map((member) => ({ ...member })) },
          nonce,
        },
        status: "incomplete",
      },
    ],
    kind: "transaction",
    requestId,
  };
}
