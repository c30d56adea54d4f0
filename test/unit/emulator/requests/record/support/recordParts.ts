import { quoteDetails, quoteFees } from "../../../../../../emulator/quote/price/quoteDetails.ts";
import { serializeIntent } from "../../../../../../emulator/requests/Intent.ts";
import type { RequestParts, Viewer } from "../../../../../../emulator/requests/record/RequestParts.ts";
import type { Quote } from "../../../../../../src/client/index.ts";
import { publishedWireOrder } from "../../../../records/support/vectors.ts";
import { contracts, ether, fakeChains, recipient, usdc } from "../../../support/fakeChains.ts";
import { pricedBridge } from "../../../support/pricedBridge.ts";
import { depositRow, intent, orderId, requestRow, transactionRow } from "../../../support/requests.ts";

export const hash = `0x${"cd".repeat(32)}`;
/** A reader without an API key. */
export const stranger: Viewer = {
  apiKeyId: undefined,
  includeAuthenticatedData: false,
  includeOrderData: false,
};
const priced = pricedBridge(10n ** 18n);
const appFeeCurrency = { ...usdc, address: usdc.address.toLowerCase(), chainId: 31337 };

/** The quote of a bridge of one ether, with an app fee of 33 basis points. */
export const quote = {
  appFeeCurrency,
  appFees: [{ amount: "8250000", amountFormatted: "8.25", amountUsd: "8.250000", bps: "33", recipient }],
  details: quoteDetails(priced, 0n),
  fees: quoteFees(priced),
  protocol: {
    v2: {
      orderData: { ...publishedWireOrder("order-base-arbitrum").orderData, solverChainId: "beta" },
      orderId,
      paymentDetails: {
        amount: "1000000000000000000",
        chainId: "alpha",
        currency: ether.address,
        depository: contracts.depository,
      },
    },
  } as unknown as NonNullable<Quote["protocol"]>,
} satisfies RequestParts["quote"];

/** Parts of the records of a waiting request. */
export function waitingParts(request: Partial<RequestParts["request"]> = {}): RequestParts {
  return {
    addressPayment: undefined,
    chains: fakeChains,
    deposits: [],
    earned: [],
    features: ["app_fees"],
    own: [],
    prices: { priced: (currency) => currency },
    quote,
    reorg: undefined,
    request: requestRow({
      created_at: Date.UTC(2026, 4, 25),
      intent: serializeIntent({ ...intent, useExternalLiquidity: true }),
      updated_at: Date.UTC(2026, 4, 26),
      ...request,
    }),
    solver: `0x${"50".repeat(20)}`,
    transactions: [],
  };
}

/** Parts of the records of a filled request. */
export function filledParts(): RequestParts {
  const block = { block_at: 5_000_000, block_number: 9, fee: "21000" };
  const sender = { tx_data: "0x", tx_from: recipient, tx_to: contracts.depository, tx_value: "5" };
  const deposit = depositRow({ ...block, ...sender, amount: "1000000000000000000", tx_hash: hash });
  const fill = { ...transactionRow({ ...block, hash, state: "mined" }), id: 1 };
  const share = { amount: "8250000", at: 1_000, bps: 33, recipient };
  const earned = { ...share, chain_id: 31337, currency: ether.address, place: 0, request_id: "" };
  const parts = waitingParts({ delivered: "990000000000000000", fill_time_ms: 5, status: "success" });
  return { ...parts, deposits: [deposit], earned: [earned], transactions: [fill] };
}
