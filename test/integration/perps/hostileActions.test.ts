import { expect } from "chai";
import type { Hex } from "viem";
import type { ExchangeRequest } from "../../../src/schema/quote/exchangeAction.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import {
  exchangeBalance,
  postAction,
  signQuote,
  signTransfer,
  withdrawalQuote,
} from "../../helpers/perps.ts";

const dayMs = 86_400_000;
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

  it("an action that was changed after it was signed: recovers an account that does not exist", async () => {
    const { deposit } = await signQuote(fixture, await withdrawalQuote(fixture));
    await expectRefused({ ...deposit, action: { ...deposit.action, amount: "26" } }, /does not exist/);
    const other: Hex = "0x1";
    await expectRefused(
      { ...deposit, action: { ...deposit.action, signatureChainId: other } },
      /does not exist/,
    );
    const signature = { ...deposit.signature, r: `0x${"00".repeat(32)}` } as const;
    await expectRefused({ ...deposit, signature }, /Invalid action/);
  });

  it("a nonce outside the window from two days ago to one day ahead: is refused, the edges are accepted", async () => {
    const quote = await withdrawalQuote(fixture);
    await fixture.emulator.control.clock.freeze();
    const now = fixture.emulator.control.clock.read().now;
    for (const [nonce, reason] of [
      [now - 2 * dayMs, /too old/],
      [now + dayMs, /too new/],
    ] as const) {
      await expectRefused(await signTransfer(fixture, quote, { nonce }), reason);
    }
    for (const nonce of [now - 2 * dayMs + 1, now + dayMs - 1]) {
      const request = await signTransfer(fixture, quote, { nonce });
      expect(await postAction(fixture, request)).to.include({ status: "ok" });
    }
    await fixture.emulator.control.clock.resume();
  });

  it("a transfer posted twice, and another one with its nonce: move money once", async () => {
    const quote = await withdrawalQuote(fixture);
    const request = await signTransfer(fixture, quote);
    await postAction(fixture, request);
    await expectRefused(request, /already used/);
    await expectRefused(await signTransfer(fixture, quote, { amount: "1" }), /already used/);
  });

  it("twenty posts of one transfer at the same time: move money once", async () => {
    const quote = await withdrawalQuote(fixture);
    const before = await exchangeBalance(fixture, fixture.emulator.info.solver);
    const request = await signTransfer(fixture, quote, { amount: "3" });
    const posts = Array.from({ length: 20 }, () => postAction(fixture, request));
    const results = await Promise.allSettled(posts);
    expect(results.filter(({ status }) => status === "fulfilled")).to.have.length(1);
    expect(await exchangeBalance(fixture, fixture.emulator.info.solver)).to.equal(before + 300_000_000n);
  });

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

  it("bodies in another form: are refused in the exchange's form", async () => {
    const { deposit } = await signQuote(fixture, await withdrawalQuote(fixture));
    const negative = { ...deposit, action: { ...deposit.action, amount: "-1" } };
    for (const body of [{}, { action: null }, negative, { ...deposit, signature: {} }]) {
      const init = { body: JSON.stringify(body), method: "POST" };
      const answer = await fetch(`${fixture.emulator.info.apiUrl}/perps/exchange`, init);
      expect(answer.status).to.equal(200);
      const expected = "Failed to deserialize the JSON body into the target type";
      expect(await answer.json()).to.deep.equal({ response: expected, status: "err" });
    }
    await expectRefusedNonce({ ...deposit, nonce: deposit.nonce + 1 });
  });

  /** The library refuses such a request before it posts anything. */
  async function expectRefusedNonce(request: ExchangeRequest) {
    const init = { body: JSON.stringify(request), method: "POST" };
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/perps/exchange`, init);
    expect(await answer.json()).to.deep.equal({
      response: "Invalid nonce: the action has another one",
      status: "err",
    });
  }
});
