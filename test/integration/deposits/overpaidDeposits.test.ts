import { expect } from "chai";
import { type Address, concatHex, encodeFunctionData, type Hex, parseEther, parseUnits } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { createClient, getRequests, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  fiftyDollars,
  finalStatus,
  holdings,
  movePool,
  quoteFor,
  requestIdOf,
  sendAs,
  type TestSymbol,
  type Wanted,
} from "../../helpers/quotes/intents.ts";
import { fresh, reverting } from "../../helpers/requests/failureStage.ts";
import { historyOf } from "../../helpers/requests/requestHistory.ts";

type Gains = Readonly<Record<TestSymbol, bigint>>;

describe("a payment beyond the price of a fixed output", () => {
  const fixture = useEmulator();

  const fixed = (wanted: Wanted) => quoteFor(fixture, { tradeType: "EXACT_OUTPUT", ...wanted });
  const priceOf = (quote: Quote) => BigInt(quote.details.currencyIn.amount);

  /** Pays ETH to the depository, and USDC directly to the solver. */
  const pay = async (quote: Quote, from: "ETH" | "USDC", amount: bigint): Promise<void> => {
    const { alpha, emulator } = fixture;
    if (from === "ETH") {
      const id = quote.protocol?.v2?.orderId as Hex;
      const args = [alpha.wallet(0).account.address, id] as const;
      const data = encodeFunctionData({ abi: relayDepositoryAbi, args, functionName: "depositNative" });
      await sendAs(alpha, 0, { data, to: alpha.info.contracts.depository, value: amount });
      return;
    }
    const args = [emulator.info.solver, amount] as const;
    const transfer = erc20Data("transfer", ...args);
    await sendAs(alpha, 0, {
      data: concatHex([transfer, requestIdOf(quote)]),
      to: alpha.currency("USDC"),
    });
  };

  /** Gains of the destination's accounts from the payment of a quote, with a given amount, to its end. */
  const gainsOf = async (
    quote: Quote,
    from: "ETH" | "USDC",
    amount: bigint,
    accounts: Record<string, Address>,
  ) => {
    const { beta, emulator } = fixture;
    const router = beta.info.contracts.v3.erc20Router;
    const all = { ...accounts, old: beta.info.contracts.erc20Router, router, solver: emulator.info.solver };
    const before = await holdings(beta, all);
    await pay(quote, from, amount);
    const status = await finalStatus(fixture, requestIdOf(quote));
    const after = await holdings(beta, all);
    const gain = (name: string): Gains => {
      const [was, is] = [before[name as "router"], after[name as "router"]];
      const entries = Object.entries(is).map(([symbol, held]) => [symbol, held - was[symbol as TestSymbol]]);
      return Object.fromEntries(entries) as Gains;
    };
    for (const name of ["router", "old"]) {
      expect(Object.values(gain(name)), `left on the router`).to.deep.equal([0n, 0n, 0n, 0n]);
    }
    return { gain, status };
  };
  const recordOf = async (quote: Quote) => {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const keyed = createClient({ apiKey: apiKeys[0]?.key, baseUrl: apiUrl });
    const { requests } = await getRequests(keyed, { id: requestIdOf(quote) });
    return requests[0];
  };

  for (const symbol of ["ETH", "USDC"] as const) {
    for (const [name, beyond] of [
      ["by one unit", () => 1n],
      ["twice over", (price: bigint) => price],
    ] as const) {
      it(`an overpayment of ${symbol} for ${symbol}, ${name}: the recipient receives all of it, and the record has it`, async () => {
        const recipient = fresh();
        const quote = await fixed({ from: symbol, recipient, to: symbol });
        const more = beyond(priceOf(quote));
        const { gain, status } = await gainsOf(quote, symbol, priceOf(quote) + more, { recipient });
        expect(status.status).to.equal("success");
        expect(gain("recipient")[symbol]).to.equal(fiftyDollars(symbol) + more);
        expect(gain("solver")[symbol] <= -fiftyDollars(symbol) - more).to.equal(true);
        const { data } = (await recordOf(quote)) ?? {};
        expect(data?.route?.actual?.destination?.outputCurrency?.amount).to.equal(
          (fiftyDollars(symbol) + more).toString(),
        );
        const { details } = await historyOf(fixture.emulator, requestIdOf(quote));
        expect(details).to.match(
          new RegExp(
            `^The deposit exceeds the quote: the recipient receives [\\d.]+ ${symbol} of the surplus$`,
          ),
        );
      });
    }
  }

  for (const routerVersion of ["v3", "v2.1"] as const) {
    it(`an overpayment where a pool of router ${routerVersion} sells the output: the exact output, and the rest in the pool's input currency`, async () => {
      await fixture.emulator.control.config.set({ routerVersion });
      for (const [from, to] of [
        ["USDC", "USDT"],
        ["USDC", "WETH"],
        ["ETH", "USDT"],
        ["ETH", "WETH"],
        ["USDC", "ETH"],
      ] as const) {
        const recipient = fresh();
        const quote = await fixed({ from, recipient, to });
        const price = priceOf(quote);
        const { gain, status } = await gainsOf(quote, from, price * 2n, { recipient });
        expect(status.status, `${from} ${to}`).to.equal("success");
        const got = gain("recipient");
        expect(got[to], `${from} ${to}`).to.equal(fiftyDollars(to));
        expect(got[from], `${from} ${to}`).to.equal(price);
      }
      await fixture.emulator.control.config.set({ routerVersion: "v3" });
    });
  }

  it("an overpayment to a recipient that rejects the rest: the whole payment is refunded to refundTo", async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const quote = await fixed({ from: "ETH", recipient, refundTo, to: "USDT" });
    await setCode(fixture.beta, recipient, reverting);
    const price = priceOf(quote);
    const { gain, status } = await gainsOf(quote, "ETH", price * 2n, { recipient });
    expect(status.status).to.equal("refund");
    expect(gain("recipient").USDT).to.equal(0n);
    const back = await fixture.alpha.balanceOf(fixture.alpha.currency("ETH"), refundTo);
    expect(back > (price * 199n) / 100n).to.equal(true);
  });

  for (const from of ["USDC", "ETH"] as const) {
    it(`a pool that improved before the fill, paid with ${from}: the recipient receives the saving, the solver its own money`, async () => {
      const recipient = fresh();
      const quote = await fixed({ from, recipient, slippageTolerance: "300", to: "USDT" });
      const sold = from === "ETH" ? "WETH" : from;
      await movePool(fixture.beta, "USDT", sold, 2n);
      const { gain, status } = await gainsOf(quote, from, priceOf(quote), { recipient });
      expect(status.status).to.equal("success");
      expect(gain("recipient").USDT).to.equal(fiftyDollars("USDT"));
      const saved = gain("recipient")[sold];
      const unit = from === "ETH" ? parseEther("0.02") : parseUnits("50", 6);
      // Two percent, which the slippage that the solver had added does not hide.
      expect(saved > (unit * 15n) / 1000n && saved < (unit * 25n) / 1000n, `${saved}`).to.equal(true);
      await movePool(fixture.beta, sold, "USDT", 2n);
    });
  }

  it("enableTrueExactOutput: the solver keeps a pool's saving, and the recipient an overpayment", async () => {
    const recipient = fresh();
    const enableTrueExactOutput = true;
    const quote = await fixed({
      enableTrueExactOutput,
      from: "USDC",
      recipient,
      slippageTolerance: "300",
      to: "USDT",
    });
    await movePool(fixture.beta, "USDT", "USDC", 2n);
    const { gain } = await gainsOf(quote, "USDC", priceOf(quote) + 7n, { recipient });
    expect(gain("recipient").USDT).to.equal(fiftyDollars("USDT"));
    expect(gain("recipient").USDC).to.equal(7n);
    await movePool(fixture.beta, "USDC", "USDT", 2n);
  });
});
