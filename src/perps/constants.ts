import type { Hex } from "viem";

/** The service's chain id of the perps exchange. */
export const exchangeChainId = 1337;

/** Chain id of the exchange's EVM chain, which has ordinary quotes. */
export const exchangeEvmChainId = 999;

/** Decimals of the perps account's USDC in quotes. */
export const perpsUsdcDecimals = 8;

/** Address of the perps account's USDC: 16 zero bytes. */
export const perpsUsdcAddress: Hex = `0x${"00".repeat(16)}`;
