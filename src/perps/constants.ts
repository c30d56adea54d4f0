import type { Hex } from "viem";

/** The service's id of the perps exchange. */
export const exchangeChainId = 1337;

/** The id of the exchange's EVM side: an ordinary chain, with ordinary quotes. */
export const exchangeEvmChainId = 999;

/** Decimals that quotes count the USDC of the perps account in. */
export const perpsUsdcDecimals = 8;

/** The address of the USDC of the perps account: 16 bytes of zero. */
export const perpsUsdcAddress: Hex = `0x${"00".repeat(16)}`;

/** Where the exchange's own API is. */
export const defaultExchangeUrl = "https://api.hyperliquid.xyz";
