import { type Address, isAddressEqual } from "viem";
import { evmAddressSchema } from "../../src/schema/hex.ts";
import type { QuoteRequest } from "../../src/schema/quoteRequest.ts";
import type { Context } from "../Context.ts";
import type { Chain, LocalCurrency } from "../chains/Chain.ts";
import type { IntentCall } from "../store/Intent.ts";
import { defaultSlippageBps } from "./computeAmounts.ts";
import { QuoteError } from "./QuoteError.ts";

/** A quote request whose chains, currencies and addresses exist. */
export type ReadIntent = {
  readonly origin: Chain;
  readonly destination: Chain;
  readonly currencyIn: LocalCurrency;
  readonly currencyOut: LocalCurrency;
  readonly user: Address;
  readonly recipient: Address;
  readonly refundTo: Address;
  readonly amount: bigint;
  readonly slippageBps: bigint;
  readonly txs: readonly IntentCall[];
};

/** Checks a well-formed request against what the local chains have. */
export function readIntent(request: QuoteRequest, chains: Context["chains"]): ReadIntent {
  const origin = chainOf(chains, request.originChainId);
  const destination = chainOf(chains, request.destinationChainId);
  const user = addressOf(request.user, "INVALID_ADDRESS", "user");
  const recipient = addressOf(request.recipient ?? user, "INVALID_RECIPIENT", "recipient");
  const refundTo = addressOf(request.refundTo ?? user, "INVALID_ADDRESS", "refundTo");
  const currencyIn = currencyOf(origin, request.originCurrency, "INVALID_INPUT_CURRENCY");
  const currencyOut = currencyOf(destination, request.destinationCurrency, "INVALID_OUTPUT_CURRENCY");
  if (destination.currencies.some(({ address }) => isAddressEqual(address, recipient))) {
    throw new QuoteError("INVALID_RECIPIENT", "The recipient is a currency");
  }
  if (origin === destination && currencyIn === currencyOut && (request.txs ?? []).length === 0) {
    throw new QuoteError(
      "UNSUPPORTED_ROUTE",
      "Origin and destination are the same currency on the same chain",
    );
  }
  const amount = BigInt(request.amount);
  if (amount === 0n) throw new QuoteError("AMOUNT_TOO_LOW", "Amount is zero");
  const txs = (request.txs ?? []).map(
    ({ data = "0x", to, value = "0" }): IntentCall => ({
      data,
      to: to.toLowerCase() as Address,
      value: BigInt(value),
    }),
  );
  return {
    amount,
    currencyIn,
    currencyOut,
    destination,
    origin,
    recipient,
    refundTo,
    slippageBps: slippageOf(request.slippageTolerance),
    txs,
    user,
  };
}

function chainOf(chains: Context["chains"], id: number): Chain {
  const chain = chains.get(id);
  if (chain === undefined) throw new QuoteError("UNSUPPORTED_CHAIN", `Chain ${id} is not supported`);
  return chain;
}

function addressOf(
  value: string,
  errorCode: "INVALID_ADDRESS" | "INVALID_RECIPIENT",
  field: string,
): Address {
  const parsed = evmAddressSchema.safeParse(value);
  if (!parsed.success) throw new QuoteError(errorCode, `\`${field}\` is not an EVM address`);
  return parsed.data.toLowerCase() as Address;
}

function currencyOf(
  chain: Chain,
  value: string,
  errorCode: "INVALID_INPUT_CURRENCY" | "INVALID_OUTPUT_CURRENCY",
): LocalCurrency {
  const currency = chain.currencies.find(({ address }) => address.toLowerCase() === value.toLowerCase());
  if (currency === undefined) {
    throw new QuoteError(
      errorCode,
      `Invalid input or output currency: chain ${chain.definition.id} has no ${value}`,
    );
  }
  return currency;
}

function slippageOf(value: string | undefined): bigint {
  if (value === undefined) return defaultSlippageBps;
  const isInteger = /^\d{1,5}$/.test(value);
  if (!isInteger || Number(value) > 10_000) {
    throw new QuoteError(
      "INVALID_SLIPPAGE_TOLERANCE",
      "Slippage tolerance must be basis points from 0 to 10000",
    );
  }
  return BigInt(value);
}
