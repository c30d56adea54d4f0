import { expect } from "chai";
import type { ExchangeRequest } from "../../../src/schema/quote/exchangeAction.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { exchangeBalance, postAction, signTransfer, withdrawalQuote } from "../../helpers/perps.ts";

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
