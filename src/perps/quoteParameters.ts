import type { Address } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount } from "../internal/readAddress.ts";
import { readChainId } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import type { QuoteCall, QuoteRequest } from "../schema/quote/quoteRequest.ts";
import type { TradeType } from "../schema/quote/tradeType.ts";
import { exchangeChainId } from "./constants.ts";
import { type ExchangeCurrency, encodeExchangeCurrency } from "./currency.ts";

type AmountFields = { amount: bigint; tradeType?: TradeType | undefined };
/** Fields common to deposits, withdrawals and other quotes. */
type OtherFields = Partial<Omit<QuoteRequest, "amount" | "protocolVersion" | "tradeType" | "txs">>;

export type ExchangeDepositParameters = AmountFields &
  Omit<OtherFields, "destinationChainId" | "destinationCurrency"> & {
    /** Default: USDC of the perps account. */
    currency?: ExchangeCurrency | undefined;
    originChainId: number;
    originCurrency: string;
    /** The account on the exchange. */
    recipient: Address;
    user: string;
  };
/** Fits `getQuote` of `waybill/client`. */
export type ExchangeDepositReturnType = Omit<QuoteRequest, "amount" | "txs"> & { amount: bigint };

export type ExchangeWithdrawalParameters = AmountFields &
  Omit<OtherFields, "originChainId" | "originCurrency"> & {
    /** Default: USDC of the perps account. */
    currency?: ExchangeCurrency | undefined;
    destinationChainId: number;
    destinationCurrency: string;
    recipient: string;
    /** Calls on the destination chain. */
    txs?: readonly (Omit<QuoteCall, "value"> & { value?: bigint | undefined })[] | undefined;
    /** The account on the exchange. */
    user: Address;
  };
/** Fits `getQuote` of `waybill/client`. */
export type ExchangeWithdrawalReturnType = ExchangeDepositReturnType &
  Pick<ExchangeWithdrawalParameters, "txs">;

/**
 * Builds parameters of a quote for a deposit to the exchange.
 *
 * @returns Parameters for `getQuote`.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { createClient, getQuote, production } from "waybill/client";
 * import { exchangeDeposit } from "waybill/perps";
 *
 * const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const parameters = exchangeDeposit({
 *   amount: 10_000_000n,
 *   originChainId: 8453,
 *   originCurrency: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
 *   recipient: user,
 *   user,
 * });
 * const quote = await getQuote(createClient(production), parameters);
 */
export function exchangeDeposit({
  amount,
  currency = { kind: "perps" },
  tradeType = "EXACT_INPUT",
  ...others
}: ExchangeDepositParameters): ExchangeDepositReturnType {
  const parameter = "originChainId";
  if (readChainId(others.originChainId, parameter) === exchangeChainId) {
    throw new InvalidParameterError({ parameter, reason: "it is the exchange: use `exchangeWithdrawal`" });
  }
  return {
    ...others,
    amount: readUint256(amount, "amount"),
    destinationChainId: exchangeChainId,
    destinationCurrency: encodeExchangeCurrency({ currency }),
    recipient: readAccount(others.recipient, "recipient"),
    tradeType,
  };
}

/**
 * Builds parameters of a quote for a withdrawal from the exchange. Sets protocol version 2, which withdrawals require.
 *
 * @param parameters Parameters of a quote, with the account on the exchange as `user`. USDC of the perps account has 8
 * decimals.
 * @returns Parameters for `getQuote`.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { createClient, getQuote, production } from "waybill/client";
 * import { exchangeWithdrawal, parseExchangeAmount } from "waybill/perps";
 *
 * const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const parameters = exchangeWithdrawal({
 *   amount: parseExchangeAmount({ amount: "25.5" }),
 *   destinationChainId: 8453,
 *   destinationCurrency: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
 *   recipient: user,
 *   user,
 * });
 * const quote = await getQuote(createClient(production), parameters);
 */
export function exchangeWithdrawal({
  amount,
  currency = { kind: "perps" },
  tradeType = "EXACT_INPUT",
  ...others
}: ExchangeWithdrawalParameters): ExchangeWithdrawalReturnType {
  return {
    ...others,
    amount: readUint256(amount, "amount"),
    destinationChainId: readChainId(others.destinationChainId, "destinationChainId"),
    originChainId: exchangeChainId,
    originCurrency: encodeExchangeCurrency({ currency }),
    protocolVersion: "v2",
    tradeType,
    user: readAccount(others.user, "user"),
  };
}
