import type { Address } from "viem";
import * as z from "zod/mini";
import { readAddress } from "../internal/readAddress.ts";
import { readText } from "../internal/readParts.ts";
import { wireObject } from "../schema/wire/wireObject.ts";
import { parseExchangeAmount } from "./amounts.ts";
import { perpsUsdcDecimals } from "./constants.ts";
import { type ExchangeOptions, postToExchange } from "./postToExchange.ts";

export type GetExchangeBalanceParameters = ExchangeOptions & {
  /** A market that a third party deployed, by its name. Default: the exchange's own. */
  market?: string | undefined;
  user: Address;
};

export type GetExchangeBalanceReturnType = {
  /** Withdrawable USDC, in units of 10^-8 as in quotes. */
  readonly withdrawable: bigint;
};

const places = new RegExp(`^[0-9]{1,40}(?:\\.[0-9]{1,${perpsUsdcDecimals}}0{0,60})?$`);
const stateSchema = wireObject({
  withdrawable: z.string().check(z.regex(places, `not a decimal number of ${perpsUsdcDecimals} places`)),
});

/**
 * Reads an account's withdrawable balance from the exchange's info API (`clearinghouseState`).
 *
 * @returns Smallest units, for `exchangeWithdrawal`.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 * @throws {ResponseInvalidError} For a response without that number.
 * @throws {HttpError} For a status other than 200.
 *
 * @example
 * import { formatExchangeAmount, getExchangeBalance, production } from "waybill/perps";
 *
 * const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const { withdrawable } = await getExchangeBalance({ url: production.exchangeUrl, user });
 * console.log(formatExchangeAmount({ amount: withdrawable }), "dollars");
 */
export async function getExchangeBalance({
  market,
  user,
  ...options
}: GetExchangeBalanceParameters): Promise<GetExchangeBalanceReturnType> {
  const { withdrawable } = await postToExchange(options, {
    body: {
      ...(market === undefined ? {} : { dex: readText(market, "market") }),
      type: "clearinghouseState",
      user: readAddress(user, "user"),
    },
    operation: "reading a balance on the exchange",
    path: "/info",
    safe: true,
    schema: stateSchema,
  });
  return { withdrawable: parseExchangeAmount({ amount: withdrawable }) };
}
