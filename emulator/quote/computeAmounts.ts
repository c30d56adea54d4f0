import type { TradeType } from "../../src/schema/tradeType.ts";
import type { LocalCurrency } from "../chains/Chain.ts";
import { amountWorth, divide, oneUsd, type Usd, usdOf } from "./prices.ts";
import { QuoteError } from "./QuoteError.ts";

const basisPoints = 10_000n;
/** Flat part of the execution fee: two cents. */
const flatFee: Usd = oneUsd / 50n;
/** How far below the expected output a fill with variable output may end, unless the caller says otherwise. */
export const defaultSlippageBps = 200n;

const stable = new Set(["USDC", "USDT"]);
const nativeLike = new Set(["ETH", "WETH"]);

/** What to exchange. */
export type AmountsInput = {
  readonly tradeType: TradeType;
  /** Smallest units of the input or the output, as `tradeType` says. */
  readonly amount: bigint;
  readonly currencyIn: LocalCurrency;
  readonly currencyOut: LocalCurrency;
  /** What the fill's gas costs on the destination chain. */
  readonly gasCost: Usd;
  readonly slippageBps: bigint;
};

/** What comes of it. `amountIn` is `netIn`, `relayerGas` and `relayerService` together, to the unit. */
export type Amounts = {
  readonly amountIn: bigint;
  /** What is exchanged for the output, in the origin currency. */
  readonly netIn: bigint;
  /** Execution fee, in the origin currency: the flat part and the fill's gas. */
  readonly relayerGas: bigint;
  /** The service's fee, in the origin currency. */
  readonly relayerService: bigint;
  readonly amountOut: bigint;
  readonly minimumOut: bigint;
};

/** The service's fee: bridging is free, stable pairs cost a basis point, others six. */
function serviceFeeBps(currencyIn: LocalCurrency, currencyOut: LocalCurrency): bigint {
  const [a, b] = [currencyIn.symbol, currencyOut.symbol];
  if (a === b || (nativeLike.has(a) && nativeLike.has(b))) return 0n;
  return stable.has(a) && stable.has(b) ? 1n : 6n;
}

/**
 * Exact arithmetic of a quote. Every rounding favours the solver, by less than one smallest unit.
 *
 * @throws QuoteError `AMOUNT_TOO_LOW` when the input does not cover the fees, or nothing would come out.
 */
export function computeAmounts(input: AmountsInput): Amounts {
  const { currencyIn, currencyOut } = input;
  const bps = serviceFeeBps(currencyIn, currencyOut);
  const relayerGas = amountWorth(flatFee + input.gasCost, currencyIn, "up");
  if (input.tradeType === "EXACT_INPUT") {
    const relayerService = divide(input.amount * bps, basisPoints, "up");
    const netIn = input.amount - relayerGas - relayerService;
    const amountOut = netIn <= 0n ? 0n : amountWorth(usdOf(netIn, currencyIn), currencyOut, "down");
    if (amountOut === 0n) throw new QuoteError("AMOUNT_TOO_LOW", "Amount is too low to cover the fees");
    const minimumOut = divide(amountOut * (basisPoints - input.slippageBps), basisPoints, "up");
    return { amountIn: input.amount, amountOut, minimumOut, netIn, relayerGas, relayerService };
  }
  const amountOut = input.amount;
  const netIn = amountWorth(usdOf(amountOut, currencyOut) + roundingGap(currencyOut), currencyIn, "up");
  const amountIn = divide((netIn + relayerGas) * basisPoints, basisPoints - bps, "up");
  const isExact = input.tradeType === "EXACT_OUTPUT";
  return {
    amountIn,
    amountOut,
    minimumOut: isExact
      ? amountOut
      : divide(amountOut * (basisPoints - input.slippageBps), basisPoints, "up"),
    netIn,
    relayerGas,
    relayerService: amountIn - netIn - relayerGas,
  };
}

/** `usdOf` rounds down where a currency has more than 18 decimals; one unit of value covers it. */
function roundingGap(currency: LocalCurrency): Usd {
  return currency.decimals > 18 ? 1n : 0n;
}
