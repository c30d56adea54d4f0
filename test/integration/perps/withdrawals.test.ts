import { expect } from "chai";
import type { Hex } from "viem";
import { identifyAction } from "../../../emulator/perps/executeAction.ts";
import { authorize, getStatus, type Quote } from "../../../src/client/index.ts";
import { exchangeChainId } from "../../../src/perps/constants.ts";
import { getExchangeBalance } from "../../../src/perps/getExchangeBalance.ts";
import { nonceMappingBody, nonceMappingTypedData } from "../../../src/perps/nonceMapping.ts";
import type { ExchangeRequest } from "../../../src/schema/quote/exchangeAction.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import {
  ended,
  exchangeBalance,
  exchangeUrl,
  postAction,
  postMapping,
  signer,
  signQuote,
  signTransfer,
  withdraw,
  withdrawalQuote,
  withdrawn,
} from "../../helpers/perps.ts";
import { refusalOf } from "../../helpers/quotes/bridgeIntent.ts";
import { fresh, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, requestsOf, until } from "../../helpers/requests/requestHistory.ts";

describe("withdrawals from the perps exchange", () => {
  const fixture = useEmulator({ perps: true });

  // @spec perps/settlement perps/withdrawal-quoted
  it("a signed statement and a transfer with its nonce: pay for the order, to the unit", async () => {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    const user = alpha.wallet(0).account.address;
    const before = await exchangeBalance(fixture, user);
    const quote = await withdrawalQuote(fixture, { recipient });
    expect(quote.steps.map(({ id, kind }) => [id, kind])).to.deep.equal([
      ["authorize", "signature"],
      ["deposit", "transaction"],
    ]);
    const { deposits, status } = await withdraw(fixture, quote);
    expect(status).to.equal("success");
    const arrived = await beta.balanceOf(beta.currency("USDC"), recipient);
    expect(arrived).to.equal(BigInt(quote.details.currencyOut.amount));
    expect(await exchangeBalance(fixture, user)).to.equal(before - withdrawn);
    const shown = await getStatus(fixture.client, { requestId: idOf(quote) });
    expect(shown).to.include({ destinationChainId: beta.info.id, originChainId: 1337 });
    expect(shown.inTxHashes).to.deep.equal(deposits.map(({ txHash }) => txHash));
  });
});

const marketUsdc = "0x6d1e7cde53ba9467b783cb7c530ce05478797a";

describe("actions that the perps exchange accepts", () => {
  const fixture = useEmulator({ perps: true });

  // @spec perps/success
  it("a signed action: moves the signer's money to the solver, and is refused the second time", async () => {
    const user = fixture.alpha.wallet(0).account.address;
    const { solver } = fixture.emulator.info;
    const balances = async () =>
      [await exchangeBalance(fixture, user), await exchangeBalance(fixture, solver)] as const;
    const [paid, received] = await balances();
    const { deposit } = await signQuote(fixture, await withdrawalQuote(fixture));
    expect((await postAction(fixture, deposit)).status).to.equal("ok");
    const after = [paid - withdrawn, received + withdrawn];
    expect(await balances()).to.deep.equal(after);
    const error = await failureOf(postAction(fixture, deposit));
    expect(error).to.include({ name: "ExchangeRejectedError", retryable: false, status: "err" });
    expect(error)
      .to.have.property("details")
      .which.matches(/already used/);
    expect(await balances()).to.deep.equal(after);
  });

  // @spec perps/balances
  it("balances in two markets: reports the withdrawable amount of each, to the smallest unit", async () => {
    const account = fixture.alpha.wallet(3).account.address;
    const parameters = { url: exchangeUrl(fixture), user: account };
    const set = (amount: bigint, currency: string) =>
      fixture.emulator.control.balances.set({ account, amount, chainId: exchangeChainId, currency });
    await set(1_310_451_450_201n, "0x00000000000000000000000000000000");
    await set(7n, marketUsdc);
    expect(await getExchangeBalance(parameters)).to.deep.equal({ withdrawable: 1_310_451_450_201n });
    expect(await getExchangeBalance({ ...parameters, market: "xyz" })).to.deep.equal({ withdrawable: 7n });
  });
});

const spotUsdc = "0x6d1e7cde53ba9467b783cb7c530ce054";

describe("actions that the perps exchange refuses", () => {
  const fixture = useEmulator({ perps: true });

  /** Balances of the payer and the solver. */
  async function balances() {
    const accounts = [fixture.alpha.wallet(0).account.address, fixture.emulator.info.solver] as const;
    return Promise.all(
      accounts.flatMap((account) => [
        exchangeBalance(fixture, account),
        exchangeBalance(fixture, account, spotUsdc),
      ]),
    );
  }

  /** Posts an action and expects a refusal that moves nothing. */
  async function expectRefused(request: ExchangeRequest, reason: RegExp) {
    const before = await balances();
    const error = await failureOf(postAction(fixture, request));
    expect(error).to.include({ name: "ExchangeRejectedError", status: "err" });
    expect(error).to.have.property("details").which.matches(reason);
    expect(await balances()).to.deep.equal(before);
  }

  for (const [what, changes, reason] of [
    ["a token of another name", { token: `USDT:${spotUsdc}` }, /token/],
    ["a token of another id", { token: `USDC:0x${"11".repeat(16)}` }, /token/],
    ["a dex that does not exist", { sourceDex: "abc" }, /dex/],
    ["ether from the perps account", { token: "ETH:0xe1edd30daaf5caac3fe63569e24748da" }, /token/],
    ["an amount of zero", { amount: "0" }, /amount/],
    ["an amount of nine places", { amount: "0.000000001" }, /amount/],
    ["one unit more than the balance", { amount: "1000000000.00000001" }, /Insufficient balance/],
    ["a destination that is no account", { destination: "0x1234" }, /destination/],
    ["a sub-account", { fromSubAccount: `0x${"11".repeat(20)}` }, /sub-account/],
    ["the test network", { hyperliquidChain: "Testnet" }, /hyperliquidChain/],
  ] as const) {
    it(`${what}: is refused, and the nonce is used`, async () => {
      const quote = await withdrawalQuote(fixture);
      const request = await signTransfer(fixture, quote, changes);
      await expectRefused(request, reason);
      await expectRefused(await signTransfer(fixture, quote), /already used/);
    });
  }
});

/** Time that a transfer waits for its statement, and more. */
const longEnough = 61_000;

describe("withdrawals that do not fit their quote", () => {
  const fixture = useEmulator({ perps: true }, { each: true });
  const user = () => fixture.alpha.wallet(0).account.address;

  /** Waits for the refund of a transfer that pays for no order, and returns its request. */
  async function orphanOf(transfer: ExchangeRequest) {
    const { hash } = await identifyAction(transfer);
    return until(async () => {
      const requests = await requestsOf(fixture.emulator, hash);
      return requests.find(({ status }) => status === "refund");
    }, "the refund of an orphaned transfer");
  }

  // @spec perps/same-nonce
  it("unequal nonces: the order is never filled, and the transfer is refunded after a minute", async () => {
    const before = await exchangeBalance(fixture, user());
    const quote = await withdrawalQuote(fixture);
    const { authorize: mapping, deposit } = await signQuote(fixture, quote);
    await postMapping(fixture, mapping);
    const transfer = await signTransfer(fixture, quote, { nonce: deposit.nonce - 1 });
    await postAction(fixture, transfer);
    expect(await exchangeBalance(fixture, user())).to.equal(before - withdrawn);
    await fixture.emulator.control.clock.advance(longEnough);
    expect(await orphanOf(transfer)).to.include({ failReason: "ORPHANED_DEPOSIT_REFUND" });
    expect(await exchangeBalance(fixture, user())).to.equal(before);
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");
  });

  /** Signs a statement as a user, with some members changed. */
  async function statement(
    quote: Quote,
    changes: { nonce?: bigint; orderId?: Hex; signer?: number; wallet?: number } = {},
  ) {
    const wallet = fixture.alpha.wallet(changes.wallet ?? 0).account.address;
    const mapping = {
      chainId: fixture.alpha.info.id,
      depositor: wallet,
      nonce: changes.nonce ?? BigInt((await signTransfer(fixture, quote)).nonce),
      orderId: changes.orderId ?? orderIdOf(quote),
      wallet,
    };
    const by = signer(fixture, changes.signer ?? changes.wallet ?? 0);
    const signature = await by.signTypedData(nonceMappingTypedData(mapping));
    return authorize(fixture.client, { ...nonceMappingBody(mapping), signature });
  }

  it("a statement of another account, for another order, or a second one: is refused", async () => {
    const quote = await withdrawalQuote(fixture);
    const refusedWith = async (work: Promise<unknown>) => (await refusalOf(work)).message;
    expect(await refusedWith(statement(quote, { wallet: 1 }))).to.include("another wallet");
    expect(await refusedWith(statement(quote, { signer: 1 }))).to.include("not the wallet's signature");
    expect(await refusedWith(statement(quote, { orderId: `0x${"0d".repeat(32)}` }))).to.include("no order");
    expect(await refusedWith(statement(quote, { nonce: 1n }))).to.include("does not accept the nonce");
    await statement(quote);
    await statement(quote);
    const nonce = BigInt((await signTransfer(fixture, quote)).nonce);
    expect(await refusedWith(statement(quote, { nonce: nonce + 1n }))).to.include("another nonce already");
    const other = await withdrawalQuote(fixture);
    expect(await refusedWith(statement(other, { nonce }))).to.include("belongs to another order");
  });

  it("a statement after its transfer: pays for the order within a minute, and is refused later", async () => {
    const early = await withdrawalQuote(fixture);
    const signed = await signQuote(fixture, early);
    await postAction(fixture, signed.deposit);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await historyOf(fixture.emulator, idOf(early))).status).to.equal("waiting");
    await postMapping(fixture, signed.authorize);
    expect((await ended(fixture, early)).status).to.equal("success");
    const late = await withdrawalQuote(fixture);
    const second = await signQuote(fixture, late);
    await postAction(fixture, second.deposit);
    await fixture.emulator.control.clock.advance(longEnough);
    await orphanOf(second.deposit);
    expect((await refusalOf(postMapping(fixture, second.authorize))).message).to.include("refunded already");
  });

  it("another account's transfer with the mapped nonce: does not pay for the order", async () => {
    const quote = await withdrawalQuote(fixture);
    const signed = await signQuote(fixture, quote);
    await postMapping(fixture, signed.authorize);
    const foreign = await signTransfer(fixture, quote, {}, 1);
    await postAction(fixture, foreign);
    await postAction(fixture, signed.deposit);
    expect((await ended(fixture, quote)).status).to.equal("success");
    await fixture.emulator.control.clock.advance(longEnough);
    expect(await orphanOf(foreign)).to.include({ failReason: "ORPHANED_DEPOSIT_REFUND" });
  });

  for (const [what, changes, reason] of [
    ["one unit less", { amount: "24.99999999" }, "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"],
    ["another account of the solver", { destinationDex: "spot" }, "INCORRECT_DEPOSIT_CURRENCY"],
  ] as const) {
    it(`a transfer with ${what}: is refunded to refundTo`, async () => {
      const refundTo = fresh();
      const quote = await withdrawalQuote(fixture, { refundTo });
      await postMapping(fixture, (await signQuote(fixture, quote)).authorize);
      await postAction(fixture, await signTransfer(fixture, quote, changes));
      const { failReason, status } = await ended(fixture, quote);
      expect({ failReason, status }).to.deep.equal({ failReason: reason, status: "refund" });
      const currency = "destinationDex" in changes ? "0x6d1e7cde53ba9467b783cb7c530ce054" : undefined;
      const paid = "amount" in changes ? withdrawn - 1n : withdrawn;
      expect(await exchangeBalance(fixture, refundTo, currency)).to.equal(paid);
    });
  }
});
