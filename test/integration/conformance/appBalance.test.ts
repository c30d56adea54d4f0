import { expect } from "chai";
import { fastFillRefusal, fillFast } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { callsOf, gaslessBody, postExecute, unfundedUser } from "../../helpers/quotes/gasless.ts";
import { newSponsor } from "../../helpers/quotes/sponsors.ts";
import { deposit, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { outputOf } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("the app balance of a key", () => {
  const fixture = useEmulator();
  const control = () => fixture.emulator.control;
  const etherOf = (account: `0x${string}`) => ({ account, chainId: fixture.alpha.info.id, currency: "eth" });
  /** Worth of a fill in micro-dollars, rounded up. */
  const worthOf = (quote: Parameters<typeof outputOf>[0]) =>
    (outputOf(quote) * 2_500n + 10n ** 12n - 1n) / 10n ** 12n;

  it("a fast fill by a key without a balance: 403, and nothing is filled", async () => {
    const quote = await quoteOf(fixture);
    const { key } = await control().keys.create({ name: "without a balance" });
    const [status, message] = await fastFillRefusal(fixture, idOf(quote), {}, key);
    expect(status).to.equal(403);
    expect(message).to.contain("app balance");
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");
  });

  it("a fast fill by a key with a micro-dollar too little: 400; with its worth it is filled", async () => {
    const quote = await quoteOf(fixture);
    const sponsor = await newSponsor(fixture, worthOf(quote) - 1n);
    expect((await fastFillRefusal(fixture, idOf(quote), {}, sponsor.key))[0]).to.equal(400);
    await control().sponsors.set({ amount: worthOf(quote), apiKeyId: sponsor.id });
    await fillFast(fixture, quote, {}, sponsor.key);
    await reached(fixture.emulator, idOf(quote), "success");
  });

  it("a second fast fill: is held back until the deposit of the first one lands, which releases its hold", async () => {
    const [first, second] = [await quoteOf(fixture), await quoteOf(fixture)];
    const sponsor = await newSponsor(fixture, worthOf(first) + 1_000_000n);
    await fillFast(fixture, first, {}, sponsor.key);
    await reached(fixture.emulator, idOf(first), "success");
    // A hold is no debit: it does not block sponsorship.
    expect(await control().sponsors.get(sponsor.id)).to.equal(worthOf(first) + 1_000_000n);
    expect((await fastFillRefusal(fixture, idOf(second), {}, sponsor.key))[0]).to.equal(400);
    await deposit(fixture, orderIdOf(first));
    await until(async () => {
      const { deposits } = await historyOf(fixture.emulator, idOf(first));
      return deposits.length > 0 ? true : undefined;
    }, "the deposit");
    await fillFast(fixture, second, {}, sponsor.key);
    await reached(fixture.emulator, idOf(second), "success");
  });

  it("POST /execute without a key: 401, and the calls are not made; with one they pay for the request", async () => {
    const user = unfundedUser(70);
    await control().balances.set({ ...etherOf(user.address), amount: 10n ** 18n });
    const quote = await quoteOf(fixture, {
      amount: 10n ** 17n,
      originGasOverhead: 80_000,
      user: user.address,
    });
    const body = await gaslessBody(user, fixture.alpha, callsOf(quote), { requestId: idOf(quote) });
    const refused = await postExecute(fixture, body, "");
    expect(refused.status).to.equal(401);
    expect(refused.body["error"]).to.be.a("string");
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");
    expect((await postExecute(fixture, body)).status).to.equal(200);
    await reached(fixture.emulator, idOf(quote), "success");
  });

  for (const [index, [name, origin, quoted]] of (
    [
      ["neither", false, false],
      ["the quote", false, true],
      ["the origin", true, false],
      ["the origin and the quote", true, true],
    ] as const
  ).entries()) {
    it(`sponsorship of ${name}: the gasless request is executed and filled`, async () => {
      const user = unfundedUser(80 + index);
      await control().balances.set({ ...etherOf(user.address), amount: 10n ** 18n });
      const sponsor = await newSponsor(fixture, 100_000_000n);
      const quote = await quoteOf(sponsor.as, {
        amount: 10n ** 17n,
        originGasOverhead: 80_000,
        user: user.address,
        ...(quoted && { subsidizeFees: true }),
      });
      const body = await gaslessBody(user, fixture.alpha, callsOf(quote), { requestId: idOf(quote) });
      const options = { ...body.executionOptions, subsidizeFees: origin };
      const answer = await postExecute(fixture, { ...body, executionOptions: options }, sponsor.key);
      expect(answer, JSON.stringify(answer.body)).to.include({ status: 200 });
      await reached(fixture.emulator, idOf(quote), "success");
      const balance = await control().sponsors.get(sponsor.id);
      expect(balance === 100_000_000n).to.equal(!quoted);
    });
  }

  it("POST /execute with subsidizeFees by a key without a balance: 400, and nothing is executed", async () => {
    const { key } = await control().keys.create({ name: "no sponsor" });
    const body = await gaslessBody(unfundedUser(90), fixture.alpha, []);
    const options = { ...body.executionOptions, subsidizeFees: true };
    const { status } = await postExecute(fixture, { ...body, executionOptions: options }, key);
    expect(status).to.equal(400);
  });

  it("with lenient: a fast fill needs no balance, and POST /execute no key", async () => {
    await control().config.set({ lenient: true });
    try {
      const { key } = await control().keys.create({ name: "lenient" });
      const quote = await quoteOf(fixture);
      await fillFast(fixture, quote, {}, key);
      await reached(fixture.emulator, idOf(quote), "success");
      const user = unfundedUser(71);
      const body = await gaslessBody(user, fixture.alpha, []);
      expect((await postExecute(fixture, body, "")).status).to.equal(200);
    } finally {
      await control().config.set({ lenient: false });
    }
  });
});
