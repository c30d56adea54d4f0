import { expect } from "chai";
import { concat, type Hex } from "viem";
import type { QuotePolicy, SignedRecord } from "../../../src/calls/verify/VerifyQuoteParameters.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { type GetQuoteParameters, getQuote, getSignature, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import type { TestSymbol } from "../../helpers/quotes/intents.ts";
import {
  amountWord,
  attacker,
  orderOf,
  paymentOf,
  policyOf,
  replaceWord,
  requestOf,
  strayId,
} from "../../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "./quoteStage.ts";

/** Documented forms of payment that the emulator's own quotes lack. */
describe("verifyQuote of other forms of payment", () => {
  const fixture = useEmulator();

  const { differences } = quoteStage(fixture);

  /** Codes of a changed quote, or of the unchanged one. */
  async function codesOf(
    symbol: TestSymbol,
    change: (quote: Quote) => void,
    more: QuotePolicy = {},
    asked: Partial<GetQuoteParameters> = {},
  ): Promise<string[]> {
    const found = await differences(requestOf(fixture, symbol, symbol, asked), more, change);
    return found.map(({ code }) => code);
  }

  /** Mismatches with the solver's record of the request or of another one, changed or unchanged. */
  async function codesWithRecord(
    symbol: TestSymbol,
    change: (quote: Quote) => void,
    changeRecord: (record: SignedRecord) => SignedRecord = (record) => record,
  ): Promise<string[]> {
    const request = requestOf(fixture, symbol, symbol);
    const quote = structuredClone(await getQuote(fixture.client, request));
    const requestId = requestIdOf(quote);
    const record = changeRecord(await getSignature(fixture.client, { requestId }));
    change(quote);
    const policy = { ...policyOf(fixture, quote), allowUnsignedOutput: true, record };
    return (await findQuoteMismatches({ ...policy, quote, request })).map(({ code }) => code);
  }

  const contracts = () => fixture.alpha.info.contracts;
  const tagged = (quote: Quote, to: string, id: Hex) => {
    quote.steps = quote.steps.filter(({ id: step }) => step !== "approve");
    const amount = BigInt(quote.details.currencyIn.amount);
    const transfer = erc20Data("transfer", to as Hex, amount);
    Object.assign(paymentOf(quote), { data: concat([transfer, id]), to: fixture.alpha.currency("USDC") });
  };
  const requestIdOf = (quote: Quote) => quote.steps[0]?.requestId as Hex;

  it("accepts a transfer with the order's id to the depository where explicitDeposit is false, to the unit", async () => {
    const { depository } = contracts();
    const orderIdOf = (quote: Quote) => orderOf(quote).protocol.orderId as Hex;
    const codes = (to: string, idOf: (quote: Quote) => Hex, asked: Partial<GetQuoteParameters>) =>
      codesOf("USDC", (quote) => tagged(quote, to, idOf(quote)), {}, asked);
    const allowed = { explicitDeposit: false };
    expect(await codesOf("USDC", () => {}, {}, allowed), "as quoted").to.deep.equal([]);
    expect(await codesOf("ETH", () => {}, {}, allowed), "native").to.deep.equal([]);
    expect(await codes(depository, orderIdOf, allowed)).to.deep.equal([]);
    expect(await codes(depository, orderIdOf, {}), "not allowed").to.deep.equal(["QUOTE_CALL"]);
    expect(await codes(depository, orderIdOf, { explicitDeposit: true })).to.deep.equal(["QUOTE_CALL"]);
    expect(await codes(depository, () => strayId, allowed)).to.deep.equal(["QUOTE_ORDER_ID"]);
    expect(await codes(attacker, orderIdOf, allowed)).to.deep.equal(["QUOTE_RECIPIENT"]);
    const shorter = (quote: Quote) => orderIdOf(quote).slice(0, -2) as Hex;
    expect(await codes(depository, shorter, allowed)).to.deep.equal(["QUOTE_ORDER_ID"]);
    const behind = (quote: Quote) => concat([orderIdOf(quote), "0x00"]);
    expect(await codes(depository, behind, allowed)).to.deep.equal(["QUOTE_ORDER_ID"]);
    const less = (quote: Quote) => replaceWord(paymentOf(quote), amountWord(quote), "1");
    expect(await codesOf("USDC", less, {}, allowed), "another amount").to.deep.equal(["QUOTE_AMOUNT"]);
    const another = (quote: Quote) =>
      void Object.assign(paymentOf(quote), { to: fixture.alpha.currency("USDT") });
    expect(await codesOf("USDC", another, {}, allowed), "another token").to.deep.equal(["QUOTE_CURRENCY"]);
    const unsigned = (quote: Quote) => {
      delete orderOf(quote).protocol.orderSignature;
    };
    expect(await codesOf("USDC", unsigned, {}, allowed), "no signed order").to.not.deep.equal([]);
  });

  it("accepts a transfer with the request's id to the solver where the output may be unsigned or a record is given", async () => {
    const { solver } = fixture.emulator.info;
    const codes = (to: string) => codesOf("USDC", (quote) => tagged(quote, to, requestIdOf(quote)));
    expect(await codes(solver)).to.deep.equal(["QUOTE_UNSIGNED_OUTPUT"]);
    expect(await codes(attacker)).to.include("QUOTE_RECIPIENT");
    const pay = (quote: Quote) => tagged(quote, solver, requestIdOf(quote));
    expect(await codesWithRecord("USDC", pay)).to.deep.equal([]);
  });

  // @spec signature/signer signature/endpoint
  it("accepts a payment under a request id only with the solver's record of that very payment", async () => {
    const { solver } = fixture.emulator.info;
    const pay = (quote: Quote) => tagged(quote, solver, requestIdOf(quote));
    const strangers = requestOf(fixture, "USDC", "USDC");
    for (const change of [
      { recipient: attacker },
      { amount: 50_000_004n },
      { originCurrency: fixture.alpha.currency("USDT") },
    ]) {
      const other = await getQuote(fixture.client, { ...strangers, ...change });
      const record = await getSignature(fixture.client, { requestId: requestIdOf(other) });
      expect(await codesWithRecord("USDC", pay, () => record)).to.deep.equal(["QUOTE_RECORD"]);
    }
    const forged = await codesWithRecord("USDC", pay, (record) => ({
      ...record,
      signature: `0x${"11".repeat(64)}1b`,
    }));
    expect(forged).to.deep.equal(["QUOTE_RECORD"]);
    const without = { allowUnsignedOutput: true };
    expect(await codesOf("USDC", pay, without)).to.deep.equal(["QUOTE_RECORD"]);
  });
});
