import type { Hex } from "viem";
import { exchangeChainId, perpsUsdcAddress, perpsUsdcDecimals } from "../../src/perps/constants.ts";
import { encodeExchangeCurrency } from "../../src/perps/currency.ts";
import { exchangeName } from "../../src/perps/nonceMapping.ts";
import type { LocalCurrency } from "../chains/Chain.ts";
import type { ChainDefinition } from "../chains/chainDefinitions.ts";

/** The exchange in the list of chains. Its name is the protocol's. */
export const exchangeDefinition: ChainDefinition = {
  displayName: "Hyperliquid",
  id: exchangeChainId,
  name: exchangeName,
};

/** A spot token in the exchange's metadata. */
export type SpotToken = {
  readonly name: string;
  readonly fullName: string;
  readonly tokenId: Hex;
  /** Places of sizes in orders. */
  readonly szDecimals: number;
  /** Places of balances and transfers. */
  readonly weiDecimals: number;
};

const usdc: SpotToken = {
  fullName: "USD Coin",
  name: "USDC",
  szDecimals: 8,
  tokenId: "0x6d1e7cde53ba9467b783cb7c530ce054",
  weiDecimals: perpsUsdcDecimals,
};

/** Spot tokens by index. */
export const spotTokens: readonly SpotToken[] = [
  usdc,
  {
    fullName: "Ether",
    name: "ETH",
    szDecimals: 4,
    tokenId: "0xe1edd30daaf5caac3fe63569e24748da",
    weiDecimals: 9,
  },
];

/** Names of the markets that third parties deployed; USDC is their collateral. */
export const markets: readonly string[] = ["xyz"];

/** Dex of the spot account in `sendAsset`. The perps account is the empty name. */
const spotDex = "spot";

/** A currency of the exchange, and its dex and token in `sendAsset`. */
export type ExchangeAsset = LocalCurrency & {
  readonly dex: string;
  /** `NAME:0x…` */
  readonly token: string;
};

/** Currencies by account: perps USDC first, then spot, then the markets. */
export const exchangeAssets: readonly [ExchangeAsset, ...ExchangeAsset[]] = [
  assetOf(usdc, "", perpsUsdcAddress),
  ...spotTokens.map((token) =>
    assetOf(token, spotDex, encodeExchangeCurrency({ currency: { kind: "spot", tokenId: token.tokenId } })),
  ),
  ...markets.map((market) => {
    const currency = { kind: "market", market, tokenId: usdc.tokenId } as const;
    return assetOf(usdc, market, encodeExchangeCurrency({ currency }));
  }),
];

export function assetByCurrency(currency: string): ExchangeAsset | undefined {
  return exchangeAssets.find(({ address }) => address === currency.toLowerCase());
}

/** Finds the asset of a dex and a token in the forms of `sendAsset`. */
export function assetByToken(dex: string, token: string): ExchangeAsset | undefined {
  return exchangeAssets.find((asset) => asset.dex === dex && asset.token === token);
}

function assetOf(token: SpotToken, dex: string, address: Hex): ExchangeAsset {
  const { fullName, name, tokenId, weiDecimals } = token;
  return {
    address,
    decimals: weiDecimals,
    dex,
    name: `${fullName} (${dex === "" ? "perps" : dex})`,
    symbol: name,
    token: `${name}:${tokenId}`,
  };
}
