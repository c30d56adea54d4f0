import { expect } from "chai";
import { parseUnits } from "viem";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { type EmulatorFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { endOf, movePool, quoteFor, type Wanted } from "../../helpers/quotes/intents.ts";
import { asIntegrator, newSponsor, sponsorshipOf } from "../../helpers/quotes/sponsors.ts";

describe("losses against the oracle's price", () => {
  const fixture = useEmulator({}, { each: true });

  const amount = parseUnits("50000", 6);
  const swap: Wanted = { amount, from: "USDC", to: "WETH" };
  const refusal = async (by: EmulatorFixture, wanted: Wanted) => {
    const error = await failureOf(quoteFor(by, wanted));
    if (!(error instanceof HttpError)) throw error;
    return [error.status, error.errorCode];
  };
  const tooHigh = [400, "SWAP_IMPACT_TOO_HIGH"];
  const inventory = () => {
    const { beta, emulator } = fixture;
    return beta.balanceOf(beta.currency("USDC"), emulator.info.solver);
  };

  it("a trader who moves the pool before a fixed rate: is refused, whatever the price impact may be", async () => {
    const as = asIntegrator(fixture);
    await movePool(fixture.beta, "USDC", "WETH", 13n);
    for (const overridePriceImpact of [false, true]) {
      for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
        const wanted = { ...swap, fixedRate: "0", overridePriceImpact, tradeType };
        const asked = tradeType === "EXACT_INPUT" ? wanted : { ...wanted, amount: 10n ** 18n };
        expect(await refusal(as, { ...asked, slippageTolerance: "10000" })).to.deep.equal(tooHigh);
      }
    }
  });

  it("a trader who moves the pool after a fixed rate: the deposit is refunded with SLIPPAGE, and the solver spends nothing", async () => {
    const as = asIntegrator(fixture);
    const quote = await quoteFor(as, { ...swap, amount: parseUnits("500", 6), fixedRate: "30" });
    await movePool(fixture.beta, "USDC", "WETH", 3n);
    const before = await inventory();
    expect(await endOf(as, quote)).to.include({ failReason: "SLIPPAGE", status: "refund" });
    expect(await inventory()).to.equal(before);
  });

  it("a pool that moves within one percent after a fixed rate: is filled, and the solver loses no more", async () => {
    const as = asIntegrator(fixture);
    const paid = parseUnits("500", 6);
    const quote = await quoteFor(as, { ...swap, amount: paid, fixedRate: "60" });
    await movePool(fixture.beta, "USDC", "WETH", 1n);
    const before = await inventory();
    expect((await endOf(as, quote)).status).to.equal("success");
    const spent = before - (await inventory());
    expect(spent > paid && spent <= (paid * 101n) / 100n, `${spent} for ${paid}`).to.equal(true);
  });

  it("calls of a fixed rate: their gas is taken from the deposit, and a plain fill takes none", async () => {
    const as = asIntegrator(fixture);
    const { beta, emulator } = fixture;
    const bridge: Wanted = { amount, fixedRate: "0", from: "USDC", to: "USDC" };
    expect((await quoteFor(as, bridge)).fees.relayerGas?.amount).to.equal("0");
    const call = {
      data: erc20Data("approve", emulator.info.solver, 1n),
      to: beta.currency("USDC"),
      value: "0",
    };
    const called = await quoteFor(as, { ...bridge, txs: [call] });
    const gas = BigInt(called.fees.relayerGas?.amount ?? 0);
    expect(gas > 0n).to.equal(true);
    expect(BigInt(called.details.currencyOut.amount) + gas).to.equal(amount);
    const gasless = await quoteFor(as, { ...bridge, originGasOverhead: 100_000 });
    expect(BigInt(gasless.fees.relayerGas?.amount ?? 0) > 0n).to.equal(true);
  });

  it("a trader who moves the pool before a sponsored quote: the sponsor's loss in pools is refused above one percent", async () => {
    const { as } = await newSponsor(fixture, 10n ** 12n);
    const sponsored: Wanted = { ...swap, amount: parseUnits("500", 6), subsidizeFees: true };
    const fair = sponsorshipOf(await quoteFor(as, sponsored)).components.swap?.sponsored?.amount;
    expect(BigInt(fair ?? 0) > 0n && BigInt(fair ?? 0) <= parseUnits("5", 6)).to.equal(true);
    await movePool(fixture.beta, "USDC", "WETH", 13n);
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const) {
      const asked = tradeType === "EXACT_INPUT" ? sponsored : { ...sponsored, amount: 10n ** 17n };
      for (const overridePriceImpact of [false, true]) {
        const wanted = { ...asked, overridePriceImpact, tradeType };
        expect(await refusal(as, wanted), tradeType).to.deep.equal(tooHigh);
        expect(
          await refusal(as, { ...wanted, maxSubsidizationAmount: (10n ** 12n).toString() }),
        ).to.deep.equal(tooHigh);
      }
      const others = { ...asked, sponsoredFeeComponents: ["execution"], tradeType };
      expect((await quoteFor(as, others)).details.currencyOut.amount).to.not.equal("0");
    }
  });

  for (const slippageTolerance of ["200", "10000"]) {
    it(`a fixed output with ${slippageTolerance} basis points of slippage over a moved pool: is refunded with SLIPPAGE, and the solver pays nothing of it`, async () => {
      const quote = await quoteFor(fixture, {
        amount: 10n ** 18n,
        from: "USDC",
        slippageTolerance,
        to: "WETH",
        tradeType: "EXACT_OUTPUT",
      });
      await movePool(fixture.beta, "USDC", "WETH", slippageTolerance === "200" ? 1n : 40n);
      const before = await inventory();
      expect(await endOf(fixture, quote)).to.include({ failReason: "SLIPPAGE", status: "refund" });
      expect(await inventory()).to.equal(before);
    });
  }

  it("an expected output over a moved pool: the solver spends the quoted inventory, and the recipient bears the move", async () => {
    const quote = await quoteFor(fixture, {
      amount: 10n ** 17n,
      from: "USDC",
      slippageTolerance: "10000",
      to: "WETH",
      tradeType: "EXPECTED_OUTPUT",
    });
    await movePool(fixture.beta, "USDC", "WETH", 40n);
    const before = await inventory();
    expect((await endOf(fixture, quote)).status).to.equal("success");
    const quoted = BigInt(quote.details.route?.destination?.inputCurrency?.amount ?? 0);
    expect(before - (await inventory())).to.equal(quoted);
  });
});
