import type { Hex } from "viem";

/**
 * The service's id of the perps exchange.
 *
 * @example
 * import { exchangeChainId } from "waybill/perps";
 *
 * console.log(exchangeChainId); // 1337
 */
export const exchangeChainId = 1337;

/**
 * The id of the exchange's EVM side: an ordinary chain, with ordinary quotes.
 *
 * @example
 * import { exchangeEvmChainId } from "waybill/perps";
 *
 * console.log(exchangeEvmChainId); // 999
 */
export const exchangeEvmChainId = 999;

/**
 * Decimals that quotes count the USDC of the perps account in.
 *
 * @example
 * import { perpsUsdcDecimals } from "waybill/perps";
 *
 * console.log(perpsUsdcDecimals); // 8
 */
export const perpsUsdcDecimals = 8;

/**
 * The address of the USDC of the perps account: 16 bytes of zero.
 *
 * @example
 * import { perpsUsdcAddress } from "waybill/perps";
 *
 * console.log(perpsUsdcAddress); // "0x00000000000000000000000000000000"
 */
export const perpsUsdcAddress: Hex = `0x${"00".repeat(16)}`;
