import { expect } from "chai";
import type { Hex } from "viem";
import { identifyAction } from "../../../emulator/perps/executeAction.ts";
import { authorize, type Quote } from "../../../src/client/index.ts";
import { nonceMappingBody, nonceMappingTypedData } from "../../../src/perps/nonceMapping.ts";
import type { ExchangeRequest } from "../../../src/schema/quote/exchangeAction.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  ended,
  exchangeBalance,
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

/** Time that a transfer waits for its statement, and more. */
const longEnough = 61_000;

describe("withdrawals that do not fit their quote", () => {
  const fixture = useEmulator({ perps: true }, { each: true });
  const user = () => fixture.alpha.wallet(0).account.address;

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

  it("a paid order: takes its own statement again, and no first one", async () => {
    const quote = await withdrawalQuote(fixture);
    await withdraw(fixture, quote);
    await statement(quote);
    expect((await ended(fixture, quote)).deposits).to.have.length(1);
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

  it("a transfer after the order's deadline: is refunded", async () => {
    const refundTo = fresh();
    const quote = await withdrawalQuote(fixture, { refundTo, ttl: 60 });
    const signed = await signQuote(fixture, quote);
    await postMapping(fixture, signed.authorize);
    await fixture.emulator.control.clock.advance(longEnough);
    await postAction(fixture, signed.deposit);
    const { failReason, status } = await ended(fixture, quote);
    expect({ failReason, status }).to.deep.equal({ failReason: "TTL_EXPIRED", status: "refund" });
    expect(await exchangeBalance(fixture, refundTo)).to.equal(withdrawn);
  });

  it("a fill beyond the solver's balance on an EVM chain: is refunded on the exchange", async () => {
    const { beta, emulator } = fixture;
    const refundTo = fresh();
    const quote = await withdrawalQuote(fixture, { refundTo });
    const account = emulator.info.solver;
    await emulator.control.balances.set({ account, amount: 0n, chainId: beta.info.id, currency: "usdc" });
    const { failReason, status, transactions } = await withdraw(fixture, quote);
    expect({ failReason, status }).to.deep.equal({ failReason: "SOLVER_BALANCE_TOO_LOW", status: "refund" });
    expect(await exchangeBalance(fixture, refundTo)).to.equal(withdrawn);
    const [record] = await requestsOf(emulator, transactions[0]?.hash as Hex);
    expect(record?.requestId).to.equal(idOf(quote));
  });
});
