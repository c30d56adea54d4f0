import { native, requestId, solver, token, user } from "../../../client/support/samples.ts";

const usdc = { address: token, chainId: 31337, decimals: 6, name: "USD Coin", symbol: "USDC" };
const paid = (amount: string) => ({ amount, amountFormatted: "1.0", amountUsd: "1.00", currency: usdc });
const bucket = { selected: true, sponsored: paid("2"), total: paid("3"), userPays: paid("1") };
const hash = `0x${"cd".repeat(32)}`;
const transaction = {
  block: 7,
  chainId: 31337,
  data: {},
  fee: "139725000000000",
  hash,
  stateChanges: [],
  status: "success",
  timestamp: 1_779_747_672,
  type: "onchain",
} as const;

/** The solver's part of a record, in either version. */
export const protocol = {
  deposit: {
    origin: { amount: "10", chainId: 31337, currency: token, depositor: user, transactionId: hash },
  },
  hubType: "onchain",
  isWithdrawable: false,
  orderId: `0x${"0d".repeat(32)}`,
  settlement: { destination: { fills: [{ chainId: 31338, transactionId: hash }], refunds: [] } },
  solver: { address: solver, chainId: 31338, protocolChainId: "local-b" },
};

/** A request record of version 2 with every field that version has. */
export function recordV2(data: Record<string, unknown> = {}, root: Record<string, unknown> = {}) {
  return {
    createdAt: "2026-05-25T22:21:11.161Z",
    data: {
      appFeeCurrencyObject: usdc,
      appFees: [
        { amount: "5000000", amountUsd: "4.99", amountUsdCurrent: "5.00", bps: "5", recipient: solver },
      ],
      currency: "usdc",
      currencyObject: usdc,
      expandedPriceImpact: {
        actual: { app: { usd: "-4.9" }, relay: { usd: "0" }, sponsored: { usd: "6.9" }, swap: { usd: "-2" } },
        quoted: { execution: { usd: "-0.1" }, relay: { usd: "0.0" }, swap: { usd: "-1.9" } },
      },
      failReason: "N/A",
      failedCallData: null,
      failedTxBlockNumber: null,
      failedTxHash: null,
      feeCurrency: "usdc",
      feeCurrencyObject: usdc,
      feeSponsorship: {
        actual: {
          capHit: true,
          components: { relay: bucket },
          maxSubsidizationAmount: "7000000",
          selectedComponents: ["relay"],
          sponsoredTotal: paid("2"),
          userPaysTotal: paid("1"),
        },
        quoted: {
          capHit: false,
          components: { execution: bucket, relay: bucket },
          selectedComponents: ["execution", "relay"],
          sponsoredTotal: paid("4"),
          userPaysTotal: paid("2"),
        },
      },
      fees: { fixed: "0", gas: "1160", price: "1999930" },
      feesUsd: { fixed: "0.0", gas: "0.001159", price: "1.99" },
      inTxs: [transaction],
      metadata: {
        currencyGasTopup: paid("9"),
        currencyIn: { ...paid("10000000000"), amountUsdCurrent: "1.01", minimumAmount: "10000000000" },
        currencyOut: paid("9990000000"),
        quoteOraclePrice: {
          from: { address: token, chainId: 31337, currencyId: "usdc", decimals: 6 },
          inputAmount: "10",
          observedAt: "2026-05-25T22:21:00.000Z",
          outputAmount: "9",
          rate: "0.9",
          to: { address: native, chainId: 31338, currencyId: "eth", decimals: 18 },
        },
        rate: "0.999",
        recipient: solver,
        route: {
          destination: {
            includedSwapSources: ["uniswap"],
            inputCurrency: paid("9995000000"),
            outputCurrency: paid("9994000000"),
            router: "relay",
          },
          origin: { inputCurrency: paid("10000000000"), outputCurrency: paid("9996000000"), router: "relay" },
        },
        sender: user,
      },
      outTxs: [{ ...transaction, chainId: 31338 }],
      paidAppFees: [{ amount: "4900000", amountUsd: "4.90", bps: "5", recipient: solver }],
      platformFee: { bucket: "stable" },
      price: "9995000000",
      refundCurrencyData: paid("1"),
      refundFailReason: "N/A",
      slippageTolerance: "50",
      subsidizedFee: {
        amountUsd: "6.99",
        origin: { address: token, amount: "7001090", chainId: 31337 },
        sponsor: { address: token, amount: "7000949", chainId: 31338 },
      },
      subsidizedRequest: true,
      supersededByRequestId: null,
      timeEstimate: 4,
      triggeredByFastFill: true,
      usesExternalLiquidity: false,
      ...data,
    },
    depositAddress: { address: solver, depositAddressType: "open", depositTxHash: hash, depositor: user },
    id: requestId,
    moonpayId: "partner-1",
    protocol,
    recipient: solver,
    referrer: "my-app",
    status: "success",
    updatedAt: "2026-05-25T22:21:51.291Z",
    user,
    ...root,
  };
}

/** A request record of version 3 as the service publishes one: amounts without currencies, currencies without names. */
export function recordV3(root: Record<string, unknown> = {}) {
  const value = { amount: "7001090", amountFormatted: "7.00109", amountUsd: "6.999165" };
  const side = {
    inputCurrency: { amount: "10000000000", currency: { chainId: 137, decimals: 6, symbol: "USDC.e" } },
    outputCurrency: { amount: "10000000000", currency: { chainId: 137, decimals: 6, symbol: "USDC.e" } },
    router: "relay",
  };
  const { hash: txHash, ...rest } = transaction;
  return {
    createdAt: "2026-05-25T22:21:11.161Z",
    data: {
      appFees: {
        actual: [],
        currency: usdc,
        quoted: [{ amount: "5", amountFormatted: "0.000005", bps: "5" }],
      },
      externalMetadata: { moonpayId: null },
      failReason: null,
      feeSponsorship: {
        actual: {
          capHit: false,
          components: {
            platform: { selected: true, sponsored: value, total: value, userPays: { amount: "0" } },
          },
          selectedComponents: ["platform"],
          sponsorPayment: { address: token, amount: "7000949", chainId: 8453 },
          sponsoredTotal: value,
          userPaysTotal: { amount: "0", amountUsd: "0" },
        },
        currency: { chainId: 137, decimals: 6, symbol: "USDC.e" },
      },
      fees: {
        actual: { platform: { usd: "0.0" } },
        currency: usdc,
        quoted: { swap: { amount: "-1", usd: "-1.9" } },
      },
      inTxs: [{ ...rest, txHash }],
      outTxs: [],
      refundFailReason: null,
      route: {
        actual: { destination: side, origin: side, rate: "1" },
        quoted: { destination: side, origin: side },
      },
      slippageTolerance: "0",
    },
    depositAddress: null,
    features: ["app_fees"],
    id: requestId,
    protocol,
    recipient: solver,
    refundTo: null,
    requestType: "Bridge",
    sender: user,
    status: "submitted",
    updatedAt: "2026-05-25T22:21:51.291Z",
    user,
    ...root,
  };
}
