import type { Quote } from "../../../../src/schema/quote/quote.ts";
import type { TransactionStep } from "../../../../src/schema/quote/step.ts";

export const native = "0x0000000000000000000000000000000000000000";
export const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
export const solver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const depository = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const token = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
export const requestId = `0x${"a8".repeat(32)}`;
export const orderId = `0x${"0d".repeat(32)}`;

export const txHash = `0x${"cd".repeat(32)}`;
/** A signature by its form. */
export const signature = `0x${"11".repeat(65)}` as const;

/** A native bridge from chain 31337 to chain 31338, of one wei. */
export const intent = {
  amount: 1n,
  destinationChainId: 31338,
  destinationCurrency: native,
  originChainId: 31337,
  originCurrency: native,
  tradeType: "EXACT_INPUT",
  user,
} as const;

export const ether = {
  address: native,
  chainId: 31337,
  decimals: 18,
  metadata: { isNative: true, logoURI: "", verified: true },
  name: "Ether",
  symbol: "ETH",
};

/** An amount of ether on a chain, as the service writes it. */
export function etherAmount(amount: string, chainId = 31337) {
  return {
    amount,
    amountFormatted: "0.01",
    amountUsd: "20.00",
    currency: { ...ether, chainId },
    minimumAmount: amount,
  };
}

/** A native bridge from chain 31337 to chain 31338, with one deposit. */
export function bridgeQuote(steps?: Quote["steps"]): Quote {
  return {
    details: {
      currencyIn: etherAmount("10000000000000000"),
      currencyOut: etherAmount("9979000000000000", 31338),
      operation: "bridge",
      recipient: user,
      sender: user,
      timeEstimate: 2,
    },
    fees: { gas: etherAmount("21000"), relayer: etherAmount("-25") },
    protocol: {
      v2: {
        orderId,
        paymentDetails: { amount: "10000000000000000", chainId: "local-a", currency: native, depository },
      },
    } as Quote["protocol"],
    steps: steps ?? [depositStep()],
  };
}

/** A deposit of 0.01 ether. */
export function depositStep(data: Record<string, unknown> = {}): TransactionStep {
  return {
    action: "Confirm transaction in your wallet",
    depositAddress: "",
    description: "Depositing funds",
    id: "deposit",
    items: [
      {
        check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" },
        data: {
          chainId: 31337,
          data: "0x49290c1c",
          from: user,
          to: depository,
          value: "10000000000000000",
          ...data,
        },
        status: "incomplete",
      },
    ],
    kind: "transaction",
    requestId,
  } as TransactionStep;
}

/** A status answer. */
export function statusAnswer(status: string, more: Record<string, unknown> = {}) {
  return {
    destinationChainId: 31338,
    details: null,
    failReason: "N/A",
    inTxHashes: [],
    originChainId: 31337,
    refundFailReason: "N/A",
    status,
    txHashes: [],
    updatedAt: 1_700_000_000_000,
    ...more,
  };
}
