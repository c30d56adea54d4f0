import { symbols, type TestSymbol } from "../quotes/intents.ts";
import { type Amounts, gained, type Holdings, nothing } from "./books.ts";
import type { DrawnIntent } from "./drawIntent.ts";
import type { Outcome } from "./Outcome.ts";

/** Balances before and after, by chain. */
export type Readings = ReadonlyMap<number, { readonly before: Holdings; readonly after: Holdings }>;

/** The request's end, and the delivered and refunded amounts of its record. */
export type Told = {
  readonly status: string;
  readonly delivered: bigint | undefined;
  readonly returned: bigint | undefined;
};

const nativeLike: ReadonlySet<string> = new Set(["ETH", "WETH"]);
const overpaying: ReadonlySet<string | undefined> = new Set(["one unit more", "more", "double"]);

/** Currencies in which a fixed output's surplus may arrive: the inventory's, and of native money its wrapped form. */
function surplusSymbols({ destination, from, origin, tradeType }: DrawnIntent): readonly TestSymbol[] {
  if (tradeType !== "EXACT_OUTPUT" || destination === origin) return [];
  return nativeLike.has(from) ? ["ETH", "WETH"] : ["USDC"];
}

/**
 * Compares the balances of one intent's accounts with its payment and its record.
 *
 * @returns Violations, in words.
 */
export function judgeIntent(outcome: Outcome, told: Told | undefined, readings: Readings): readonly string[] {
  const { drawn, gas, purse, quote, spendings } = outcome;
  const { destination, origin, recipient, refundTo, to, tradeType } = drawn;
  const problems: string[] = [];
  const expect = (isSo: boolean, what: string) => {
    if (!isSo) problems.push(what);
  };
  const gainOf = (chainId: number, account: `0x${string}`): Amounts => {
    const reading = readings.get(chainId);
    if (reading === undefined) throw new Error(`chain ${chainId} was not read`);
    return gained(reading.before, reading.after, account);
  };
  const chains = origin === destination ? [origin] : [origin, destination];
  const status = told?.status;
  const mayBeSurplus = surplusSymbols(drawn);
  for (const chain of chains) {
    const { id } = chain.info;
    const paid = gainOf(id, purse.address);
    paid.ETH += gas.get(id) ?? 0n;
    const due = nothing();
    let slack = nothing();
    for (const { amount, chain: where, isLimit, symbol } of spendings) {
      if (where.info.id !== id) continue;
      due[symbol] += amount;
      if (isLimit) slack = { ...slack, [symbol]: slack[symbol] + amount };
    }
    const received = gainOf(id, recipient);
    const back = gainOf(id, refundTo);
    for (const symbol of symbols) {
      const place = `${symbol} on ${chain.info.name}`;
      const lost = -paid[symbol];
      expect(
        lost <= due[symbol] && lost >= due[symbol] - slack[symbol],
        `paid ${lost} ${place}, and ${due[symbol]} was due`,
      );
      const isOutput = chain === destination && symbol === to;
      const isSurplus = chain === destination && status === "success" && mayBeSurplus.includes(symbol);
      expect(
        isOutput || isSurplus || received[symbol] === 0n,
        `the recipient got ${received[symbol]} ${place}`,
      );
      expect(back[symbol] >= 0n, `refundTo lost ${-back[symbol]} ${place}`);
      // A refund swaps back the user's own swap, at the price of that moment.
      const isSwappedBack = symbol === drawn.from && (symbol === "USDT" || symbol === "WETH");
      const most = isSwappedBack ? (due[symbol] * 11n) / 10n : due[symbol];
      if (symbol === drawn.from || chain !== origin) {
        expect(back[symbol] <= most, `${back[symbol]} ${place} went back of ${due[symbol]}`);
      }
    }
  }
  const got = gainOf(destination.info.id, recipient)[to];
  const allBack = chains.flatMap(({ info }) => Object.values(gainOf(info.id, refundTo)));
  const backAtAll = allBack.some((each) => each > 0n);
  expect((status === "success") === got > 0n, `${got} was delivered, and the status is ${status}`);
  if (status === "refund") expect(backAtAll, "nothing went back, and the status is refund");
  if (quote === undefined || spendings.length === 0) expect(!backAtAll, "what was not paid went back");
  const hasStrayed =
    spendings.length > 1 || drawn.tampering === "other currency" || drawn.tampering === "orphan";
  if (status === "success" && !hasStrayed) expect(!backAtAll, "it was delivered, and went back");
  if (status === "failure" && !hasStrayed) expect(!backAtAll, "it went back, and the status is failure");
  const returned = told?.returned;
  if (status === "refund" && !hasStrayed && returned !== undefined) {
    expect(allBack.includes(returned), `the record says that ${returned} went back, and ${allBack} did`);
  }
  // Without a pool the amount cannot change.
  const isFixed = nativeLike.has(drawn.from) ? nativeLike.has(to) : drawn.from === "USDC" && to === "USDC";
  if (quote !== undefined && status === "success" && isFixed && !overpaying.has(drawn.tampering)) {
    const { amount } = quote.details.currencyOut;
    expect(got === BigInt(amount), `${got} was delivered, and ${amount} was quoted`);
  }
  if (quote !== undefined && status === "success") {
    const { amount, minimumAmount } = quote.details.currencyOut;
    const promised = BigInt(tradeType === "EXACT_OUTPUT" ? amount : (minimumAmount ?? amount));
    expect(got >= promised, `${got} was delivered, and ${promised} was promised`);
    if (tradeType === "EXACT_OUTPUT") {
      const paid = BigInt(quote.details.currencyIn.amount);
      const over = overpaid(outcome, paid);
      const arrived = gainOf(destination.info.id, recipient);
      const beyond =
        mayBeSurplus.reduce((sum, symbol) => sum + arrived[symbol], 0n) -
        (mayBeSurplus.includes(to) ? promised : 0n);
      const told = `${beyond} beyond a fixed output, and ${over} was paid beyond its price`;
      // Without a pool the amount cannot change; with one, the recipient receives its saving too.
      expect(isFixed ? beyond === over : beyond >= over && beyond <= over + paid, told);
      expect(mayBeSurplus.includes(to) || got === promised, `${got} was delivered of exactly ${promised}`);
    }
    expect(told?.delivered === got, `${got} was delivered, and the record says ${told?.delivered}`);
  }
  return problems;
}

/** The overpaid amount, for a deposit without a swap. */
function overpaid({ drawn, spendings }: Outcome, price: bigint): bigint {
  if (!overpaying.has(drawn.tampering)) return 0n;
  return spendings.reduce((sum, { amount }) => sum + amount, -price);
}
