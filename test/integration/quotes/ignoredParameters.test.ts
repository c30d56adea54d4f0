import { expect } from "chai";
import {
  findIgnoredParameters,
  type GetQuoteParameters,
  getQuote,
  type Quote,
} from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";

describe("findIgnoredParameters", () => {
  let plain: GetQuoteParameters;
  const fixture = useEmulator();
  before(async () => {
    plain = bridgeIntent(fixture);
  });

  const codesOf = (request: GetQuoteParameters, quote?: Quote) =>
    findIgnoredParameters({ quote, request }).map(({ code, parameter }) => `${code} ${parameter}`);
  const feesOf = (...fees: string[]) =>
    fees.map((fee) => ({ fee, recipient: fixture.alpha.wallet(1).account.address }));

  it("finds nothing in a quote that collects the app fee, nor for a request without such parameters", async () => {
    const request = { ...plain, appFees: feesOf("100") };
    const quote = await getQuote(fixture.client, request);
    expect(BigInt(quote.fees.app?.amount ?? 0) > 0n).to.equal(true);
    expect(codesOf(request, quote)).to.deep.equal([]);
    const other = await getQuote(fixture.client, plain);
    expect(codesOf(plain, other)).to.deep.equal([]);
  });

  it("finds app fees that are not collected, even one of several, and not when all are zero", async () => {
    const quote = await getQuote(fixture.client, plain);
    expect(codesOf({ ...plain, appFees: feesOf("0", "1") }, quote)).to.deep.equal(["APP_FEES appFees"]);
    expect(codesOf({ ...plain, appFees: feesOf("0") }, quote)).to.deep.equal([]);
    const { app: _, ...fees } = quote.fees;
    expect(codesOf({ ...plain, appFees: feesOf("1") }, { ...quote, fees })).to.deep.equal([
      "APP_FEES appFees",
    ]);
    // Unknown before there is a quote.
    expect(codesOf({ ...plain, appFees: feesOf("1") })).to.deep.equal([]);
  });

  it("finds a sponsorship that sponsors nothing, and a cap that sponsors all or nothing", async () => {
    const quote = await getQuote(fixture.client, plain);
    const sponsored = { ...plain, subsidizeFees: true };
    expect(codesOf(sponsored, quote)).to.deep.equal(["SPONSORSHIP subsidizeFees"]);
    const paid = { ...quote, fees: { ...quote.fees, subsidized: quote.details.currencyIn } };
    expect(codesOf(sponsored, paid)).to.deep.equal([]);
    const capped = { ...plain, maxSubsidizationAmount: "1000000" };
    expect(codesOf(capped)).to.deep.equal([]);
    expect(codesOf({ ...capped, useDepositAddress: true })).to.deep.equal([
      "SPONSORSHIP_CAP maxSubsidizationAmount",
    ]);
  });

  it("rejects invalid arguments with their names", () => {
    for (const [parameters, parameter] of [
      [{ request: undefined }, "request"],
      [{ request: { ...plain, amount: -1n } }, "amount"],
      [{ quote: {}, request: plain }, "quote.steps"],
    ] as const) {
      expect(() => findIgnoredParameters(parameters as never)).to.throw(`\`${parameter}\``);
    }
  });
});
