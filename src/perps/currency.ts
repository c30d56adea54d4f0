import { type Hex, hexToString, stringToHex } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertDecimals } from "../internal/amounts.ts";
import { readHex } from "../internal/readHex.ts";
import { assertValid, readObject, readText } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import { perpsUsdcAddress, perpsUsdcDecimals } from "./constants.ts";

/** A currency of the perps exchange, by kind of balance. */
export type ExchangeCurrency =
  /** USDC of the perps account. */
  | { readonly kind: "perps" }
  /** A token of the spot account, by the 16 bytes of `tokenId` in the exchange's metadata. */
  | { readonly kind: "spot"; readonly tokenId: Hex }
  /** A token on a market that a third party deployed, by the market's name, such as `xyz`. */
  | { readonly kind: "market"; readonly market: string; readonly tokenId: Hex };

export type EncodeExchangeCurrencyParameters = { currency: ExchangeCurrency };

export type EncodeExchangeCurrencyReturnType = Hex;

export type DecodeExchangeCurrencyParameters = { address: Hex };

export type DecodeExchangeCurrencyReturnType = ExchangeCurrency;

const tokenIdBytes = 16;
/** Printable ASCII without spaces, up to a hundred characters; actual names are far shorter. */
const marketName = /^[\x21-\x7e]{1,100}$/;

/**
 * Encodes a currency of the exchange as an address for quotes (specification, "Perps-exchange integration", 3).
 *
 * @returns 16 bytes, followed by those of a market's name.
 * @throws {InvalidParameterError} For an invalid member, by name.
 *
 * @example
 * import { encodeExchangeCurrency } from "waybill/perps";
 *
 * const tokenId = "0x6d1e7cde53ba9467b783cb7c530ce054";
 * encodeExchangeCurrency({ currency: { kind: "market", market: "xyz", tokenId } });
 * // "0x6d1e7cde53ba9467b783cb7c530ce05478797a"
 */
export function encodeExchangeCurrency({
  currency,
}: EncodeExchangeCurrencyParameters): EncodeExchangeCurrencyReturnType {
  readObject(currency, "currency");
  switch (currency.kind) {
    case "perps":
      return perpsUsdcAddress;
    case "spot":
      return readTokenId(currency);
    case "market":
      return `${readTokenId(currency)}${stringToHex(readMarket(currency)).slice(2)}`;
    default:
      return refuseKind(currency);
  }
}

/**
 * Decodes the address of a currency of the exchange.
 *
 * @returns The currency.
 * @throws {InvalidParameterError} For an invalid address.
 *
 * @example
 * import { decodeExchangeCurrency } from "waybill/perps";
 *
 * decodeExchangeCurrency({ address: "0x00000000000000000000000000000000" }); // { kind: "perps" }
 */
export function decodeExchangeCurrency({
  address,
}: DecodeExchangeCurrencyParameters): DecodeExchangeCurrencyReturnType {
  const parameter = "address";
  const bytes = readHex(address, parameter);
  const end = 2 + tokenIdBytes * 2;
  const [tokenId, name] = [bytes.slice(0, end) as Hex, bytes.slice(end)];
  if (tokenId.length < end) {
    throw new InvalidParameterError({ parameter, reason: `it has fewer than ${tokenIdBytes} bytes` });
  }
  if (name === "") return tokenId === perpsUsdcAddress ? { kind: "perps" } : { kind: "spot", tokenId };
  const market = hexToString(`0x${name}`);
  if (tokenId !== perpsUsdcAddress && marketName.test(market)) return { kind: "market", market, tokenId };
  throw new InvalidParameterError({ parameter, reason: "the bytes after the token id are no market name" });
}

function readTokenId({ tokenId }: Exclude<ExchangeCurrency, { kind: "perps" }>): Hex {
  const parameter = "currency.tokenId";
  const bytes = readHex(tokenId, parameter, tokenIdBytes);
  if (bytes !== perpsUsdcAddress) return bytes;
  throw new InvalidParameterError({ parameter, reason: "it is zero, which stands for the perps account" });
}

function readMarket({ market }: Extract<ExchangeCurrency, { kind: "market" }>): string {
  const parameter = "currency.market";
  if (marketName.test(readText(market, parameter))) return market;
  const reason = "it is not 1 to 100 printable characters of ASCII without spaces";
  throw new InvalidParameterError({ parameter, reason });
}

function refuseKind(currency: never): never {
  const { kind }: { kind: unknown } = currency;
  throw new InvalidParameterError({ parameter: "currency.kind", reason: `there is no kind "${show(kind)}"` });
}

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
  const isKnown = places !== undefined;
  assertValid(isKnown, "decimals", "the token is not USDC: pass its decimals, from a list of your own");
  assertDecimals(places);
  assertValid(known === undefined || places === known, "decimals", `USDC has ${known}`);
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
