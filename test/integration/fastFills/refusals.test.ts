import { expect } from "chai";
import type { Hex } from "viem";
import { fastFillRefusal, fillFast, keyedQuote } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { quoteFor } from "../../helpers/quotes/intents.ts";
import { handIn, signedQuote } from "../../helpers/quotes/permits.ts";
import { newSponsor } from "../../helpers/quotes/sponsors.ts";
import { deposit, ether, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { outputOf } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("fast fills that are refused", () => {
  const fixture = useEmulator();
  const control = () => fixture.emulator.control;
  const firstKey = () => fixture.emulator.info.apiKeys[0]?.key ?? "";

  async function expectUntouched(requestId: Hex): Promise<void> {
    const { events } = await historyOf(fixture.emulator, requestId);
    expect(events.map(({ trigger }) => trigger)).to.deep.equal(["quoted"]);
  }
  const post = (requestId: Hex, headers: Record<string, string>) =>
    fetch(`${fixture.emulator.info.apiUrl}/fast-fill`, {
      body: JSON.stringify({ requestId }),
      headers: { "content-type": "application/json", ...headers },
      method: "POST",
    });
  const statusOf = async (...parameters: Parameters<typeof fastFillRefusal>) =>
    (await fastFillRefusal(...parameters))[0];

  it("without an API key, or with an unknown one: 401", async () => {
    const quote = await keyedQuote(fixture);
    expect((await post(idOf(quote), {})).status).to.equal(401);
    expect((await post(idOf(quote), { "x-api-key": "another" })).status).to.equal(401);
    await expectUntouched(idOf(quote));
  });

  it("an unknown request: 404", async () => {
    expect(await statusOf(fixture, `0x${"ab".repeat(32)}`)).to.equal(404);
  });

  it("a request of another API key: 403; a request without a key is filled", async () => {
    const quote = await keyedQuote(fixture);
    const { key } = await newSponsor(fixture, 10_000_000_000n);
    expect(await statusOf(fixture, idOf(quote), {}, key)).to.equal(403);
    await expectUntouched(idOf(quote));
    const anonymous = await quoteOf(fixture);
    await fillFast(fixture, anonymous, {}, key);
    await reached(fixture.emulator, idOf(anonymous), "success");
  });

  it("a request on one chain: 400", async () => {
    const quote = await quoteFor(fixture, { from: "USDC", sameChain: true, to: "USDT" });
    expect(await statusOf(fixture, idOf(quote))).to.equal(400);
    await expectUntouched(idOf(quote));
  });

  it("a request with a deposit address: 400", async () => {
    const quote = await keyedQuote(fixture, { refundTo: fresh(), useDepositAddress: true });
    expect(await statusOf(fixture, idOf(quote))).to.equal(400);
    await expectUntouched(idOf(quote));
  });

  it("an advance one wei below the least deposit that is filled: 400", async () => {
    const quote = await keyedQuote(fixture);
    expect(await statusOf(fixture, idOf(quote), { solverInputCurrencyAmount: ether - 1n })).to.equal(400);
    await expectUntouched(idOf(quote));
  });

  it("maxFillAmountUsd one micro-dollar below the fill: 400; at its worth the fill is made", async () => {
    const quote = await keyedQuote(fixture);
    const micros = Number((outputOf(quote) * 2_500n + 10n ** 12n - 1n) / 10n ** 12n);
    expect(await statusOf(fixture, idOf(quote), { maxFillAmountUsd: (micros - 1) / 1e6 })).to.equal(400);
    await expectUntouched(idOf(quote));
    await fillFast(fixture, quote, { maxFillAmountUsd: micros / 1e6 });
    await reached(fixture.emulator, idOf(quote), "success");
  });

  it("a request that is filled, or was fast-filled: 409, and nothing is paid again", async () => {
    const [paid, fast] = [await keyedQuote(fixture), await keyedQuote(fixture)];
    await deposit(fixture, orderIdOf(paid));
    await fillFast(fixture, fast);
    for (const quote of [paid, fast]) {
      await reached(fixture.emulator, idOf(quote), "success");
      expect(await statusOf(fixture, idOf(quote))).to.equal(409);
      expect((await historyOf(fixture.emulator, idOf(quote))).transactions).to.have.length(1);
    }
  });

  it("a signed deposit that is not sent yet: 409, and the user pays for the fill", async () => {
    const quote = await signedQuote(fixture);
    await control().faults.add({ delayMs: 60_000, kind: "signed-deposit-slow", requestId: idOf(quote) });
    await handIn(fixture, quote);
    expect(await statusOf(fixture, idOf(quote))).to.equal(409);
    await control().clock.advance(61_000);
    const { deposits } = await reached(fixture.emulator, idOf(quote), "success", "refund", "failure");
    expect(deposits.map(({ outcome }) => outcome)).to.deep.equal(["accepted"]);
  });

  it("ten at once: one is accepted, nine get 409, and one fill is sent", async () => {
    const quote = await keyedQuote(fixture);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(idOf(quote), { "x-api-key": firstKey() })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(409)]);
    const { transactions } = await reached(fixture.emulator, idOf(quote), "success");
    expect(transactions).to.have.length(1);
  });

  it("an advance above the limit of one request: 400", async () => {
    const quote = await keyedQuote(fixture);
    await control().config.set({ advancePerRequest: "2000" });
    expect(await statusOf(fixture, idOf(quote))).to.equal(400);
    await expectUntouched(idOf(quote));
    await control().config.set({ advancePerRequest: "10000" });
  });

  it("an advance above the limit of its key: 400, until a deposit pays an earlier one back", async () => {
    const { key } = await newSponsor(fixture, 50_000_000_000n);
    const [first, second] = [await quoteOf(fixture), await quoteOf(fixture)];
    await control().config.set({ advancePerKey: "4000" });
    await fillFast(fixture, first, {}, key);
    await reached(fixture.emulator, idOf(first), "success");
    expect(await statusOf(fixture, idOf(second), {}, key)).to.equal(400);
    await expectUntouched(idOf(second));
    await deposit(fixture, orderIdOf(first));
    await until(async () => {
      const { deposits } = await historyOf(fixture.emulator, idOf(first));
      return deposits.length > 0 ? true : undefined;
    }, "the deposit");
    await fillFast(fixture, second, {}, key);
    await reached(fixture.emulator, idOf(second), "success");
    await control().config.set({ advancePerKey: "50000" });
  });

  it("an expired quote: 400", async () => {
    const quote = await keyedQuote(fixture);
    await control().clock.advance(8 * 24 * 3_600_000);
    expect(await statusOf(fixture, idOf(quote))).to.equal(400);
    await expectUntouched(idOf(quote));
  });
});
