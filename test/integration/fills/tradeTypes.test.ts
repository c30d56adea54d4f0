import { expect } from "chai";
import type { Address, Hex } from "viem";
import { routerVersions } from "../../../emulator/chains/Chain.ts";
import type { Quote, TradeType } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  carryOut,
  fiftyDollars,
  gasSpent,
  holdings,
  quoteFor,
  recipient,
  symbols,
  type TestSymbol,
  type Wanted,
} from "../../helpers/quotes/intents.ts";

const pairs = symbols.flatMap((from) => symbols.map((to) => ({ from, to })));
/** A third of the pairs, with each currency on each side. */
const somePairs = pairs.filter((_, index) => index % 3 === 0);
const nativeLike = new Set<TestSymbol>(["ETH", "WETH"]);

/** The solver's currency of a deposit, by the input currency. */
function depositedAs(symbol: TestSymbol): TestSymbol {
  return nativeLike.has(symbol) ? "ETH" : "USDC";
}

function amountsOf({ details, fees }: Quote) {
  const of = (amount: { amount: string } | undefined) => BigInt(amount?.amount ?? -1n);
  return {
    app: of(fees.app),
    deposit: of(details.route?.origin?.outputCurrency),
    gas: of(fees.relayerGas),
    inventory: of(details.route?.destination?.inputCurrency),
    paid: of(details.currencyIn),
    received: of(details.currencyOut),
    relayer: of(fees.relayer),
    service: of(fees.relayerService),
    spent: of(details.route?.origin?.inputCurrency),
  };
}

for (const routerVersion of routerVersions) {
  describe(`intents through router ${routerVersion}`, () => {
    const fixture = useEmulator({ routerVersion });

    /** No money may stay on shared contracts. */
    async function expectNothingLeft(): Promise<void> {
      for (const { info, balanceOf, currency } of [fixture.alpha, fixture.beta]) {
        const { approvalProxy, erc20Router, v3 } = info.contracts;
        for (const account of [approvalProxy, erc20Router, v3.approvalProxy, v3.erc20Router]) {
          for (const symbol of symbols) {
            expect(await balanceOf(currency(symbol), account), `${symbol} on ${account}`).to.equal(0n);
          }
        }
      }
    }

    /** Bridges or swaps to the other chain, and compares every account with the quote. */
    async function cross(wanted: Wanted): Promise<void> {
      const { alpha, beta, emulator } = fixture;
      const user = alpha.wallet(0).account.address;
      const origin = { depository: alpha.info.contracts.depository, user };
      const destination = { recipient, solver: emulator.info.solver };
      const quote = await quoteFor(fixture, wanted);
      const [alphaBefore, betaBefore] = [await holdings(alpha, origin), await holdings(beta, destination)];
      const { inTxHashes, originReceipts, status, txHashes } = await carryOut(fixture, quote);
      const [alphaAfter, betaAfter] = [await holdings(alpha, origin), await holdings(beta, destination)];
      expect([status, inTxHashes.length, txHashes.length]).to.deep.equal(["success", 1, 1]);

      const amounts = amountsOf(quote);
      const { from, to } = wanted;
      const deposited = depositedAs(from);
      const gas = await Promise.all(
        originReceipts.map(({ transactionHash }) => gasSpent(alpha, transactionHash)),
      );
      const spentGas = gas.reduce((sum, each) => sum + each, 0n);
      const userPaid = alphaBefore.user[from] - alphaAfter.user[from];
      expect(userPaid - (from === "ETH" ? spentGas : 0n), "the user pays").to.equal(amounts.spent);
      const isExactSwap = from === "USDT" && wanted.tradeType === "EXACT_OUTPUT";
      const room = isExactSwap ? (amounts.spent * 200n) / 10_000n : 0n;
      expect(amounts.paid - amounts.spent, "the payment includes the slippage").to.equal(room);
      expect(
        alphaAfter.depository[deposited] - alphaBefore.depository[deposited],
        "the depository gets",
      ).to.equal(amounts.deposit);
      expect(betaAfter.recipient[to] - betaBefore.recipient[to], "the recipient gets").to.equal(
        amounts.received,
      );
      const fillGas = await gasSpent(beta, txHashes[0] as Hex);
      expect(
        betaBefore.solver[deposited] - betaAfter.solver[deposited] - (deposited === "ETH" ? fillGas : 0n),
        "the solver spends",
      ).to.equal(amounts.inventory);
      expect(amounts.relayer, "the relayer's fees").to.equal(amounts.gas + amounts.service);
      expect(amounts.deposit, "the deposit").to.equal(amounts.inventory + amounts.relayer + amounts.app);
    }

    describe("across chains", () => {
      for (const [tradeType, crossed] of [
        ["EXACT_INPUT", routerVersion === "v3" ? pairs : somePairs],
        ["EXACT_OUTPUT", routerVersion === "v3" ? pairs : somePairs],
        ["EXPECTED_OUTPUT", somePairs],
      ] as const) {
        for (const { from, to } of crossed) {
          // @spec service/fill calls/exact-input calls/exact-output calls/user-gas quote-request/trade-type
          // @spec state/success signature/optional
          it(`turns ${from} into ${to} across chains for ${tradeType}, to the unit of the quote`, async () => {
            const wanted = { from, to, tradeType };
            await cross(wanted);
          });
        }
      }

      it("deducts app fees from the deposit", async () => {
        const appFees = [
          { fee: "30", recipient },
          { fee: "7", recipient: fixture.emulator.info.solver },
        ];
        for (const from of ["ETH", "USDT"] as const) {
          for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
            const quote = await quoteFor(fixture, { appFees, from, to: "USDC", tradeType });
            const { app, deposit } = amountsOf(quote);
            expect(app).to.equal((deposit * 30n) / 10_000n + (deposit * 7n) / 10_000n);
            await cross({ appFees, from, to: "USDC", tradeType });
          }
        }
      });

      it("leaves no money on routers and approval proxies after requests across chains", expectNothingLeft);
    });

    describe("on one chain", () => {
      const isSameCurrency = ({ from, to }: { from: TestSymbol; to: TestSymbol }) => from === to;
      const tradeTypes: TradeType[] = ["EXACT_INPUT", "EXACT_OUTPUT"];

      /** Executes the request by the user's own transaction, and compares every account with the quote. */
      async function exchange(wanted: Wanted): Promise<Quote> {
        const { alpha, emulator } = fixture;
        const user = alpha.wallet(0).account.address;
        const { from, to } = wanted;
        const receiver = (wanted.recipient ?? recipient) as Address;
        const accounts = { recipient: receiver, solver: emulator.info.solver, user };
        const quote = await quoteFor(fixture, { ...wanted, sameChain: true });
        const before = await holdings(alpha, accounts);
        const { inTxHashes, originReceipts, status, txHashes } = await carryOut(fixture, quote);
        const after = await holdings(alpha, accounts);
        expect(status).to.equal("success");
        expect(inTxHashes, "the same transaction").to.deep.equal(txHashes);
        expect(inTxHashes).to.deep.equal([originReceipts.at(-1)?.transactionHash]);

        const amounts = amountsOf(quote);
        const gas = await Promise.all(
          originReceipts.map(({ transactionHash }) => gasSpent(alpha, transactionHash)),
        );
        const spentGas = gas.reduce((sum, each) => sum + each, 0n);
        const isOwn = accounts.recipient === user;
        const change = (name: "recipient" | "solver" | "user", symbol: TestSymbol) =>
          after[name][symbol] - before[name][symbol] + (name === "user" && symbol === "ETH" ? spentGas : 0n);
        expect(change("user", from), "the user pays").to.equal(-amounts.paid);
        expect(change(isOwn ? "user" : "recipient", to), "the recipient gets").to.equal(amounts.received);
        expect(change("solver", from), "the service gets").to.equal(amounts.relayer + amounts.app);
        expect(amounts.gas, "no fill is paid for").to.equal(0n);
        expect(quote.protocol, "nothing is deposited").to.equal(undefined);
        return quote;
      }

      const exchanged = routerVersion === "v3" ? pairs : somePairs;
      for (const pair of exchanged.filter((each) => !isSameCurrency(each))) {
        for (const tradeType of tradeTypes) {
          it(`turns ${pair.from} into ${pair.to} on one chain for ${tradeType}, to the unit of the quote`, async () => {
            const quote = await exchange({ ...pair, tradeType });
            expect(quote.steps.at(-1)?.id).to.equal("swap");
            await exchange({ ...pair, appFees: [{ fee: "25", recipient }], tradeType });
          });
        }
      }

      for (const symbol of symbols) {
        it(`sends ${symbol} directly to the recipient, and through the router with app fees`, async () => {
          const quote = await exchange({ from: symbol, to: symbol });
          expect(quote.steps.map(({ id }) => id)).to.deep.equal(["send"]);
          expect(amountsOf(quote).received).to.equal(fiftyDollars(symbol));
          for (const tradeType of tradeTypes) {
            await exchange({ appFees: [{ fee: "25", recipient }], from: symbol, to: symbol, tradeType });
          }
        });
      }

      // @spec quote/operation
      it("wraps and unwraps for the user without router or approval", async () => {
        const own = { recipient: fixture.alpha.wallet(0).account.address };
        for (const [from, to] of [
          ["ETH", "WETH"],
          ["WETH", "ETH"],
        ] as const) {
          const quote = await exchange({ ...own, from, to });
          expect(quote.steps.map(({ id }) => id)).to.deep.equal(["swap"]);
          expect(quote.details.currencyOut.amount).to.equal(quote.details.currencyIn.amount);
          expect(quote.details.operation).to.equal(from === "ETH" ? "wrap" : "unwrap");
        }
      });

      it("leaves no money on routers and approval proxies after same-chain requests", expectNothingLeft);
    });
  });
}
