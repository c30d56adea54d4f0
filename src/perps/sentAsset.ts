import type { Hex } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertDecimals } from "../internal/amounts.ts";
import { perpsUsdcDecimals } from "./constants.ts";
import { decodeExchangeCurrency } from "./currency.ts";

/** Token id of USDC on the exchange's main network. */
const usdcTokenId = "0x6d1e7cde53ba9467b783cb7c530ce054";
/** Dex of the spot account in `sendAsset`. The perps account is the empty name. */
const spotDex = "spot";

/** A currency of the exchange as `sendAsset` names it. */
export type SentAsset = {
  readonly decimals: number;
  readonly dex: string;
  /** The name that wallets show, if the library knows it. */
  readonly name: string | undefined;
  readonly tokenId: Hex;
};

/**
 * Finds the asset that a transfer of a currency must send.
 *
 * @param decimals Required for tokens other than USDC.
 * @throws InvalidParameterError for an invalid currency, or missing or invalid decimals.
 */
export function readSentAsset(address: string, decimals: number | undefined): SentAsset {
  const currency = decodeCurrency(address);
  const tokenId = currency.kind === "perps" ? usdcTokenId : currency.tokenId;
  const known = tokenId === usdcTokenId ? perpsUsdcDecimals : undefined;
  const places = decimals ?? known;
  if (places === undefined) {
    const reason = "the token is not USDC: pass its decimals, from a list of your own";
    throw new InvalidParameterError({ parameter: "decimals", reason });
  }
  assertDecimals(places);
  if (known !== undefined && places !== known) {
    throw new InvalidParameterError({ parameter: "decimals", reason: `USDC has ${known}` });
  }
  const name = known === undefined ? undefined : "USDC";
  if (currency.kind === "market") return { decimals: places, dex: currency.market, name, tokenId };
  return { decimals: places, dex: currency.kind === "perps" ? "" : spotDex, name, tokenId };
}

function decodeCurrency(address: string) {
  try {
    return decodeExchangeCurrency({ address: address as Hex });
  } catch (error) {
    if (!(error instanceof InvalidParameterError)) throw error;
    const reason = "it is no currency of the exchange, as `encodeExchangeCurrency` gives it";
    throw new InvalidParameterError({ parameter: "request.originCurrency", reason });
  }
}
