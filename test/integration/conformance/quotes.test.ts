import { expect } from "chai";
import { zeroAddress } from "viem";
import { getAppFeeBalances } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { carryOut, quoteFor, refusalOf, type Wanted } from "../../helpers/quotes/intents.ts";
import { newSponsor, recordOf, sponsorshipOf } from "../../helpers/quotes/sponsors.ts";
import { addressOf, depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("app fees of a send", () => {
  const fixture = useEmulator();

  it("are neither refused nor taken: the recipient gets all, and the integrator nothing", async () => {
    const [recipient, wallet] = [fresh(), fresh()];
    const amount = 50_000_003n;
    const appFees = [{ fee: "100", recipient: wallet }];
    const quote = await quoteFor(fixture, {
      amount,
      appFees,
      from: "USDC",
      recipient,
      sameChain: true,
      to: "USDC",
    });
    expect(quote.details.operation).to.equal("send");
    expect(BigInt(quote.fees.app?.amount ?? 0)).to.equal(0n);
    await carryOut(fixture, quote);
    expect(await fixture.alpha.balanceOf(fixture.alpha.currency("USDC"), recipient)).to.equal(amount);
    expect((await getAppFeeBalances(fixture.client, { wallet })).balances).to.deep.equal([]);
    const { data } = await recordOf(fixture.emulator, quote, "v2");
    expect([data["appFees"], data["paidAppFees"]]).to.deep.equal([[], []]);
  });

  it("of a wrap, as of every other type, are taken", async () => {
    const wallet = fresh();
    const appFees = [{ fee: "100", recipient: wallet }];
    const quote = await quoteFor(fixture, { appFees, from: "ETH", sameChain: true, to: "WETH" });
    await carryOut(fixture, quote);
    expect((await getAppFeeBalances(fixture.client, { wallet })).balances).to.have.length(1);
  });
});

describe("a quote with a deposit address", () => {
  const fixture = useEmulator();
  const { pay, quoteAt } = depositAddressStage(fixture);
  const asked = { from: "USDC", to: "USDC", useDepositAddress: true } as const;

  it("on one chain, open or strict: the solver swaps the payment, and refuses sends and wraps", async () => {
    const { alpha, emulator } = fixture;
    for (const strict of [false, true]) {
      const recipient = fresh();
      const quote = await quoteAt({
        from: "ETH",
        recipient,
        refundTo: fresh(),
        sameChain: true,
        strict,
        to: "USDC",
      });
      await pay(addressOf(quote), "ETH", BigInt(quote.details.currencyIn.amount));
      await reached(emulator, idOf(quote), "success");
      const received = await alpha.balanceOf(alpha.currency("USDC"), recipient);
      expect(received >= BigInt(quote.details.currencyOut.minimumAmount ?? 0)).to.equal(true);
      expect((await recordOf(emulator, quote, "v3"))["requestType"]).to.equal("Same-chain Swap");
    }
    expect(await refusalOf(fixture, { ...asked, sameChain: true })).to.equal("UNSUPPORTED_ROUTE");
    expect(await refusalOf(fixture, { ...asked, from: "ETH", sameChain: true, to: "WETH" })).to.equal(
      "UNSUPPORTED_ROUTE",
    );
  });

  it("on one chain, a payment one unit short to a strict address: is refunded, and nothing is swapped", async () => {
    const refundTo = fresh();
    const quote = await quoteAt({ from: "ETH", refundTo, sameChain: true, strict: true, to: "USDC" });
    await pay(addressOf(quote), "ETH", BigInt(quote.details.currencyIn.amount) - 1n);
    await reached(fixture.emulator, idOf(quote), "refund");
    expect((await fixture.alpha.balanceOf(zeroAddress, refundTo)) > 0n).to.equal(true);
  });

  const refusals: readonly (readonly [string, Wanted, string])[] = [
    ["a swap on the destination without refundTo", { refundTo: undefined, to: "USDT" }, "INVALID_ADDRESS"],
    ["a zero recoveryAddress", { recoveryAddress: zeroAddress }, "INVALID_ADDRESS"],
    ["an EXPECTED_OUTPUT to an open address", { tradeType: "EXPECTED_OUTPUT" }, "UNSUPPORTED_EXECUTION_TYPE"],
  ].map(([name, wanted, code]) => [name, { ...asked, ...(wanted as object) }, code] as never);
  for (const [name, wanted, code] of refusals) {
    it(`${name}: is refused with ${code}`, async () => {
      expect(await refusalOf(fixture, wanted)).to.equal(code);
    });
  }

  it("without refundTo and without a swap: is quoted; with one and refundTo, also for the sender, too", async () => {
    for (const wanted of [
      { refundTo: undefined },
      { refundTo: fresh(), to: "USDT" },
      { refundTo: zeroAddress, to: "USDT" },
    ] as const) {
      expect(addressOf(await quoteFor(fixture, { ...asked, ...wanted }))).to.match(/^0x/);
    }
  });

  it("sponsoredFeeComponents: are refused", async () => {
    const { as } = await newSponsor(fixture, 100_000_000n);
    const wanted = { ...asked, sponsoredFeeComponents: ["execution"], subsidizeFees: true };
    expect(await refusalOf(as, wanted)).to.equal("UNSUPPORTED_EXECUTION_TYPE");
  });

  it("fees a micro-dollar above maxSubsidizationAmount: nothing is sponsored and charged; at it, all is", async () => {
    const sponsor = await newSponsor(fixture, 100_000_000n);
    const stage = depositAddressStage(sponsor.as);
    const whole = sponsorshipOf(await quoteFor(sponsor.as, { ...asked, subsidizeFees: true }));
    const fees = BigInt(whole.sponsoredTotal?.amount ?? 0);
    const quoteWith = async (cap: bigint) =>
      stage.quoteAt({
        ...asked,
        maxSubsidizationAmount: cap.toString(),
        refundTo: fresh(),
        subsidizeFees: true,
      });
    // Gas prices fall from block to block: a tenth of the fees is below them.
    const above = await quoteWith(fees / 10n);
    expect([sponsorshipOf(above).capHit, sponsorshipOf(above).sponsoredTotal?.amount]).to.deep.equal([
      true,
      "0",
    ]);
    await stage.pay(addressOf(above), "USDC", BigInt(above.details.currencyIn.amount));
    await reached(fixture.emulator, idOf(above), "success");
    expect(await fixture.emulator.control.sponsors.get(sponsor.id)).to.equal(100_000_000n);
    const at = sponsorshipOf(await quoteWith(fees));
    expect([at.capHit, at.userPaysTotal?.amount]).to.deep.equal([false, "0"]);
    const plain = {
      ...asked,
      maxSubsidizationAmount: (fees / 10n).toString(),
      subsidizeFees: true,
      useDepositAddress: false,
    };
    const partly = sponsorshipOf(await quoteFor(sponsor.as, plain));
    expect(BigInt(partly.sponsoredTotal?.amount ?? 0) > 0n).to.equal(true);
  });

  it("with lenient: takes sponsoredFeeComponents, and a swap without refundTo", async () => {
    const { as } = await newSponsor(fixture, 100_000_000n);
    await fixture.emulator.control.config.set({ lenient: true });
    try {
      await quoteFor(as, { ...asked, sponsoredFeeComponents: ["execution"], subsidizeFees: true });
      await quoteFor(fixture, { ...asked, refundTo: undefined, to: "USDT" });
    } finally {
      await fixture.emulator.control.config.set({ lenient: false });
    }
  });
});

describe("depositFeePayer", () => {
  const fixture = useEmulator();

  it("that is the user: is refused with INVALID_ADDRESS", async () => {
    const user = fixture.alpha.wallet(0).account.address;
    const wanted = { depositFeePayer: user, from: "ETH", to: "ETH" } as const;
    expect(await refusalOf(fixture, wanted)).to.equal("INVALID_ADDRESS");
  });
});
