import { expect } from "chai";
import type { Address } from "viem";
import { loadSvm } from "../../../emulator/chains/svm/loadSvm.ts";
import { svmCurrencies } from "../../../emulator/chains/svm/svmCurrencies.ts";
import { deriveSvmPools } from "../../../emulator/chains/svm/swap/svmPools.ts";
import { getQuote, getStatus, HttpError, type Quote } from "../../../src/client/index.ts";
import { measureSvmTransaction } from "../../../src/svm/measureSvmTransaction.ts";
import type { SvmTransactionData } from "../../../src/svm/SvmTransaction.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { payOnAlpha } from "../../helpers/perps.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, payOnSvm, svmBalance, svmUser, svmWithdrawal } from "../../helpers/svm.ts";

type Overrides = Partial<Parameters<typeof getQuote>[1]>;

const ends = ["success", "refund", "failure"] as const;
const mint = (symbol: string) => svmCurrencies.find((each) => each.symbol === symbol)?.address ?? "";
/** 9,000 JTO: 27,000 dollars. */
const much = { amount: (9n * 10n ** 12n).toString(), originCurrency: mint("JTO") };

describe("swaps of the SVM chain", () => {
  const fixture = useEmulator({ svm: true });
  const withdrawal = (overrides: Overrides = {}) => svmWithdrawal(fixture, overrides);
  const toSvm = async (overrides: Overrides = {}): Promise<Quote> =>
    getQuote(fixture.client, {
      amount: "25000000",
      destinationChainId: 792703809,
      destinationCurrency: mint("RENDER"),
      originChainId: fixture.alpha.info.id,
      originCurrency: fixture.alpha.currency("USDC"),
      recipient: await freshSvm(),
      refundTo: fixture.alpha.wallet(0).account.address,
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...overrides,
    });
  const endOf = (quote: Quote) => reached(fixture.emulator, idOf(quote), ...ends);
  const dataOf = (quote: Quote) => quote.steps[0]?.items[0]?.data as unknown as SvmTransactionData;
  const hopsOf = (quote: Quote) => {
    const swap = dataOf(quote).instructions.find(({ programId }) => programId.startsWith("Swap"));
    return swap === undefined ? 0 : (swap.keys.length - 4) / 3;
  };
  type Side = { readonly amount: string; readonly currency: { readonly address: string } };
  type Actual = { readonly origin: { readonly inputCurrency: Side; readonly outputCurrency: Side } };
  const recordOf = async (quote: Quote) => {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const headers = { "x-api-key": apiKeys[0]?.key ?? "" };
    const answer = await fetch(`${apiUrl}/requests/v3?id=${idOf(quote)}`, { headers });
    const { requests } = (await answer.json()) as { requests: { data: { route: { actual: Actual } } }[] };
    return requests[0] as (typeof requests)[number];
  };
  const refusalOf = async (quoted: Promise<unknown>) => {
    const error = await failureOf(quoted);
    expect(error).to.be.instanceOf(HttpError);
    return error as HttpError;
  };

  for (const { address, decimals, symbol } of svmCurrencies.slice(3)) {
    // @spec svm/tokens
    it(`${symbol}, which the solver does not hold: is sold on the way to another chain, and bought on the way back`, async () => {
      const user = await svmUser();
      const recipient = fresh();
      const amount = (10n * 10n ** BigInt(decimals)).toString();
      const sold = await withdrawal({ amount, originCurrency: address, recipient });
      expect(sold.details.route?.origin).to.deep.include({
        includedSwapSources: ["jupiter"],
        router: "jupiter",
      });
      const before = await svmBalance(fixture, user.address, address);
      const signature = await payOnSvm(fixture, sold, user);
      expect((await endOf(sold)).status).to.equal("success");
      expect(before - (await svmBalance(fixture, user.address, address))).to.equal(BigInt(amount));
      const arrived = await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);
      expect(arrived).to.equal(BigInt(sold.details.currencyOut.amount));
      expect((await getStatus(fixture.client, { requestId: idOf(sold) })).inTxHashes).to.deep.equal([
        signature,
      ]);

      const { actual } = (await recordOf(sold)).data.route;
      expect(actual.origin.inputCurrency).to.deep.include({ amount });
      expect(actual.origin.inputCurrency.currency).to.include({ address, chainId: 792703809, symbol });
      const { amount: deposited } = sold.details.route?.origin?.outputCurrency ?? {};
      expect(actual.origin.outputCurrency).to.deep.include({ amount: deposited });

      const wallet = await freshSvm();
      const bought = await toSvm({ destinationCurrency: address, recipient: wallet });
      expect(bought.details.route?.destination).to.deep.include({ router: "jupiter" });
      await payOnAlpha(fixture, bought);
      expect((await endOf(bought)).status).to.equal("success");
      const { amount: promised } = bought.details.currencyOut;
      expect(await svmBalance(fixture, wallet, address)).to.equal(BigInt(promised));
    });
  }

  /** Sets what the pool of two tokens holds of the first, in percent of now. */
  const movePool = async (symbol: string, other: string, percent: bigint) => {
    const pool = (await deriveSvmPools(await loadSvm())).find(({ tokens }) =>
      tokens.every((token) => token.symbol === symbol || token.symbol === other),
    );
    const account = (pool?.address ?? "") as Address;
    const holding = { account, chainId: 792703809, currency: mint(symbol) };
    const held = await fixture.emulator.control.balances.get(holding);
    await fixture.emulator.control.balances.set({ ...holding, amount: (held * percent) / 100n });
    return () => fixture.emulator.control.balances.set({ ...holding, amount: held });
  };

  for (const exact of [true, false]) {
    it(`a fixed output of a token that is bought${exact ? ", which must be exact" : ""}: arrives, also from pools that moved`, async () => {
      const recipient = await freshSvm();
      const terms = {
        amount: "1000000000",
        destinationCurrency: mint("RENDER"),
        maxRouteLength: 1,
        recipient,
      };
      const more = exact ? { enableTrueExactOutput: true } : {};
      const quote = await toSvm({ ...terms, ...more, tradeType: "EXACT_OUTPUT" });
      // Below the quoted price: the solver keeps the rest of an exact output, and the recipient gets it of another one.
      const restore = await movePool("RENDER", "USDC", 101n);
      await payOnAlpha(fixture, quote);
      expect((await endOf(quote)).status).to.equal("success");
      const arrived = await svmBalance(fixture, recipient, mint("RENDER"));
      if (exact) expect(arrived).to.equal(1_000_000_000n);
      else expect(arrived > 1_009_000_000n && arrived < 1_011_000_000n, `${arrived}`).to.equal(true);
      await restore();
    });
  }

  it("a pool that moves beyond the slippage before the fill: refunds the deposit with SLIPPAGE", async () => {
    const recipient = await freshSvm();
    const quote = await toSvm({ destinationCurrency: mint("RENDER"), maxRouteLength: 1, recipient });
    const restore = await movePool("RENDER", "USDC", 90n);
    await payOnAlpha(fixture, quote);
    const { failReason, status } = await endOf(quote);
    expect([status, failReason]).to.deep.equal(["refund", "SLIPPAGE"]);
    expect(await svmBalance(fixture, recipient, mint("RENDER"))).to.equal(0n);
    await restore();
  });

  // @spec svm/route-length quote-request/max-route-length
  it("`maxRouteLength`: bounds the hops of a swap, where more hops would give more", async () => {
    const routes = [];
    for (const maxRouteLength of [6, 4, 3, 2]) {
      const quote = await withdrawal({ ...much, maxRouteLength });
      routes.push({ hops: hopsOf(quote), out: BigInt(quote.details.currencyOut.amount) });
    }
    expect(routes.map(({ hops }) => hops)).to.deep.equal([4, 4, 2, 2]);
    const [, four = 0n, two = 0n] = routes.map(({ out }) => out);
    expect(four > two).to.equal(true);
    expect((await refusalOf(withdrawal({ ...much, maxRouteLength: 1 }))).errorCode).to.equal(
      "NO_SWAP_ROUTES_FOUND",
    );
    const small = await withdrawal({ ...much, amount: "1000000000" });
    expect(hopsOf(small)).to.equal(2);
    const bought = toSvm({ destinationCurrency: mint("JTO"), maxRouteLength: 1 });
    expect((await refusalOf(bought)).errorCode).to.equal("NO_INTERNAL_SWAP_ROUTES_FOUND");
  });

  // @spec error/svm-size-400
  it("a route whose deposit would exceed 1172 bytes: is refused with 400 in the service's words, and fits with fewer hops", async () => {
    const { errorCode, message, status } = await refusalOf(withdrawal(much));
    expect([status, errorCode]).to.deep.equal([400, "SOLANA_TX_TOO_LARGE"]);
    const told =
      /Generated Solana transaction is (\d+) bytes, (\d+) over Solana's 1232 byte limit, so it cannot be signed or broadcast\./.exec(
        message,
      );
    expect(Number(told?.[1])).to.equal(1232 + Number(told?.[2]));
    const { address: payer } = await svmUser();
    const quote = await withdrawal({ ...much, includeComputeUnitLimit: true, maxRouteLength: 4 });
    const { maximum, verdict } = measureSvmTransaction({ data: dataOf(quote), payer });
    expect(verdict, `${maximum} bytes`).to.equal("fits");
    await payOnSvm(fixture, quote, await svmUser());
    expect((await endOf(quote)).status).to.equal("success");
  });
});
