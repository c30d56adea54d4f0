import { expect } from "chai";
import { formatUnits, type Hex, parseAbi, parseEventLogs } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import { clockFrom } from "../../helpers/clockFrom.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  carryOut,
  fiftyDollars,
  finalStatus,
  gasSpent,
  lastTransaction,
  movePool,
  quoteFor,
  recipient,
  requestIdOf,
  sendAs,
  type TestSymbol,
} from "../../helpers/quotes/intents.ts";
import { recordReaders } from "../../helpers/requests/recordReaders.ts";

const depositAbi = parseAbi([
  "event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)",
]);

describe("the record of a settled request", () => {
  // Version 2 ends in November.
  const fixture = useEmulator({ now: clockFrom(Date.UTC(2026, 9, 1)) });
  afterEach(() => fixture.emulator.control.prices.set({ ETH: "2500" }));

  const { recordOf, recordV2Of } = recordReaders(fixture);

  /** A transaction in its chain's form. */
  async function minedOn({ reader }: TestChain, hash: string | null | undefined) {
    const { from, input, to, value } = await reader.getTransaction({ hash: hash as Hex });
    return { data: input, from, to, value: value.toString() };
  }

  /** Growth of the recipient's balance during the execution of a quote. */
  async function gainOf(quote: Quote, symbol: TestSymbol): Promise<bigint> {
    const { beta } = fixture;
    const before = await beta.balanceOf(beta.currency(symbol), recipient);
    await carryOut(fixture, quote);
    return (await beta.balanceOf(beta.currency(symbol), recipient)) - before;
  }

  // @spec record-v2/out-txs record-v2/in-txs
  it("shows a third party's payment and its fill as they were mined, from the payer and from the solver", async () => {
    const { alpha, beta, emulator } = fixture;
    const quote = await quoteFor(fixture, { from: "ETH", to: "ETH" });
    const hash = await sendAs(alpha, 3, lastTransaction(quote));
    await finalStatus(fixture, requestIdOf(quote));
    for (const { inTxs = [], outTxs = [] } of [await recordOf(quote), await recordV2Of(quote)]) {
      expect(inTxs.map(({ data }) => data)).to.deep.equal([await minedOn(alpha, hash)]);
      expect(inTxs[0]?.data).to.include({ from: alpha.wallet(3).account.address.toLowerCase() });
      expect(outTxs[0]?.data).to.include({ from: emulator.info.solver.toLowerCase() });
    }
    const [fill] = (await recordOf(quote)).outTxs ?? [];
    expect(fill?.data).to.deep.equal(await minedOn(beta, fill?.txHash));
  });

  // @spec record-v3/deposited record-v3/received record-v3/quoted-output
  it("measures an origin swap's input and output, the arrived amount, and the rate, after a pool moved", async () => {
    const { alpha } = fixture;
    const quote = await quoteFor(fixture, { from: "USDT", slippageTolerance: "500", to: "ETH" });
    await movePool(alpha, "USDT", "USDC", 1n);
    const received = await gainOf(quote, "ETH");
    const { inTxs = [], route } = await recordOf(quote);
    const { logs } = await alpha.reader.getTransactionReceipt({ hash: inTxs[0]?.txHash as Hex });
    const [deposit] = parseEventLogs({ abi: depositAbi, logs });
    const paid = fiftyDollars("USDT");
    const { destination, origin, rate } = route?.actual ?? {};
    expect(origin?.inputCurrency).to.include({ amount: paid.toString() });
    expect(origin?.outputCurrency).to.include({ amount: deposit?.args.amount.toString() });
    expect(origin?.outputCurrency?.amount).to.not.equal(route?.quoted?.origin?.outputCurrency?.amount);
    expect(destination?.outputCurrency).to.include({ amount: received.toString() });
    expect(destination?.inputCurrency?.amount).to.equal(quote.details.currencyOut?.amount);
    const expectedRate = Number(formatUnits(received, 18)) / Number(formatUnits(paid, 6));
    // Chai's closeTo accepts only integers once Hardhat's matchers are loaded.
    expect(Math.abs(Number(rate) - expectedRate) <= 1e-15).to.equal(true);
    expect(rate).to.not.equal(quote.details.rate);
    expect((await recordV2Of(quote)).metadata?.rate).to.equal(rate);
  });

  // @spec record-v3/received-same-chain
  it("measures the input and output of a user's own swap for a fixed output", async () => {
    const { alpha } = fixture;
    const token = alpha.currency("USDT");
    const payer = alpha.wallet(0).account.address;
    const wanted = { from: "USDT", sameChain: true, slippageTolerance: "500", to: "WETH" } as const;
    const quote = await quoteFor(fixture, { ...wanted, tradeType: "EXACT_OUTPUT" });
    // The output's price falls, so there is change.
    await movePool(alpha, "WETH", "USDT", 1n);
    const before = await alpha.balanceOf(token, payer);
    await carryOut(fixture, quote);
    const paid = before - (await alpha.balanceOf(token, payer));
    const { destination, origin } = (await recordOf(quote)).route?.actual ?? {};
    expect(paid < BigInt(quote.details.currencyIn.amount)).to.equal(true);
    expect(origin?.inputCurrency).to.include({ amount: paid.toString() });
    for (const output of [origin?.outputCurrency, destination?.outputCurrency]) {
      expect(output).to.include({ amount: fiftyDollars("WETH").toString() });
    }
  });

  // @spec amount/usd-current amount/usd
  it("values each payment and fee in dollars of its moment, and in version 2 of today, too", async () => {
    const { prices } = fixture.emulator.control;
    const quote = await quoteFor(fixture, { from: "ETH", to: "ETH" });
    await prices.set({ ETH: "3000" });
    await carryOut(fixture, quote);
    await prices.set({ ETH: "1000" });
    const { inTxs = [], route } = await recordOf(quote);
    const usd = (wei: bigint, price: bigint) => formatUnits((wei * price) / 10n ** 12n, 6);
    const paid = fiftyDollars("ETH");
    expect(Number(route?.quoted?.origin?.inputCurrency?.amountUsd)).to.equal(Number(usd(paid, 2500n)));
    expect(Number(route?.actual?.origin?.inputCurrency?.amountUsd)).to.equal(Number(usd(paid, 3000n)));
    const cost = await gasSpent(fixture.alpha, inTxs[0]?.txHash as Hex);
    expect(Number(inTxs[0]?.feeUsd)).to.equal(Number(usd(cost, 3000n)));
    const { currencyIn, currencyOut } = (await recordV2Of(quote)).metadata ?? {};
    for (const amount of [currencyIn, currencyOut]) {
      const units = BigInt(amount?.amount ?? 0);
      expect(Number(amount?.amountUsd)).to.equal(Number(usd(units, 3000n)));
      expect(Number(amount?.amountUsdCurrent)).to.equal(Number(usd(units, 1000n)));
    }
  });

  // @spec record-v3/fees record-v3/fee-parts record-v3/app-fees-actual
  it("lists the solver's gas, the service's share and app credits as fees, which add up", async () => {
    const { prices } = fixture.emulator.control;
    const appFees = [{ fee: "100", recipient }];
    const quote = await quoteFor(fixture, { appFees, from: "ETH", to: "USDC" });
    await prices.set({ ETH: "3000" });
    await carryOut(fixture, quote);
    const { appFees: shares, fees, outTxs = [], route } = await recordOf(quote);
    const micros = (usd: string | null | undefined) => Math.round(Number(usd) * 1e6);
    const { app, execution, platform, sponsored, swap } = fees?.actual ?? {};
    const gas = await gasSpent(fixture.beta, outTxs[0]?.txHash as Hex);
    expect(micros(execution?.usd)).to.equal(-20_000 - Number((gas * 3000n) / 10n ** 12n));
    const share = BigInt(quote.fees.relayerService?.amount ?? 0);
    expect(micros(platform?.usd)).to.equal(-Number((share * 3000n) / 10n ** 12n));
    expect(micros(app?.usd)).to.equal(-micros(shares?.actual?.[0]?.amountUsd));
    expect(micros(app?.usd)).to.equal(-600_000);
    const { destination, origin } = route?.actual ?? {};
    const total = micros(destination?.outputCurrency?.amountUsd) - micros(origin?.inputCurrency?.amountUsd);
    const sum = [app, execution, platform, sponsored, swap].reduce((all, each) => all + micros(each?.usd), 0);
    expect(sum).to.equal(total);
    expect(fees?.quoted?.execution?.usd).to.not.equal(execution?.usd);
    const { execution: second } = (await recordV2Of(quote)).expandedPriceImpact?.actual ?? {};
    expect(second?.usd).to.equal(execution?.usd);
  });

  it("a record without sponsorship, oracle price and platform fee has null in version 3 and no field in version 2", async () => {
    const quote = await quoteFor(fixture, { from: "ETH", to: "ETH" });
    await carryOut(fixture, quote);
    const { apiKeys, apiUrl } = fixture.emulator.info;
    for (const version of ["v2", "v3"]) {
      const answer = await fetch(`${apiUrl}/requests/${version}?id=${requestIdOf(quote)}`, {
        headers: { "x-api-key": apiKeys[0]?.key ?? "" },
      });
      const text = await answer.text();
      expect(text).to.include('"inTxs"');
      for (const name of ["feeSponsorship", "quoteOraclePrice", "platformFee"]) {
        expect(text.includes(`"${name}":null`), name).to.equal(version === "v3");
        expect(text.includes(`"${name}"`), name).to.equal(version === "v3");
      }
    }
  });
});
