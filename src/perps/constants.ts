import type { Hex } from "viem";

/**
 * The service's chain id of the perps exchange.
 *
 * @example
 * import { exchangeChainId } from "waybill/perps";
 *
 * console.log(exchangeChainId); // 1337
 */
export const exchangeChainId = 1337;

/**
 * Chain id of the exchange's EVM chain, which has ordinary quotes.
 *
 * @example
 * import { exchangeEvmChainId } from "waybill/perps";
 *
 * console.log(exchangeEvmChainId); // 999
 */
export const exchangeEvmChainId = 999;

/**
 * Decimals of the perps account's USDC in quotes.
 *
 * @example
 * import { perpsUsdcDecimals } from "waybill/perps";
 *
 * console.log(perpsUsdcDecimals); // 8
 */
export const perpsUsdcDecimals = 8;

/**
 * Address of the perps account's USDC: 16 zero bytes.
 *
 * @example
 * import { perpsUsdcAddress } from "waybill/perps";
 *
 * console.log(perpsUsdcAddress); // "0x00000000000000000000000000000000"
 */
export const perpsUsdcAddress: Hex = `0x${"00".repeat(16)}`;
