import { expect } from "chai";
import { concat, encodeFunctionData, type Hex, parseAbi, zeroAddress } from "viem";
import { quoteSimulator } from "../../../src/calls/quoteSimulator.ts";
import type { QuotePolicy, SignedRecord } from "../../../src/calls/verify/VerifyQuoteParameters.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { type GetQuoteParameters, getQuote, getSignature, type Quote } from "../../../src/client/index.ts";
import { nonceMappingTypes } from "../../../src/perps/nonceMapping.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import type { TestSymbol } from "../../helpers/quotes/intents.ts";
import { signatureOf } from "../../helpers/quotes/permits.ts";
import {
  amountWord,
  attacker,
  orderOf,
  paymentOf,
  policyOf,
  replaceWord,
  requestOf,
  signatureStep,
  strayId,
} from "../../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "./quoteStage.ts";

const abi = parseAbi(["function forward(bytes data)"]);

type Permission = {
  permitted: { amount: string; token: string }[];
  spender: string;
  witness: { call3Values: object[]; nftRecipient: string; refundTo: string };
};

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

  it("accepts a payment through the service's receiver for this request", async () => {
    const forward = (quote: Quote, to: string, id: Hex) =>
      Object.assign(paymentOf(quote), {
        data: encodeFunctionData({ abi, args: [id], functionName: "forward" }),
        to,
      });
    const { relayReceiver } = contracts();
    const codes = (to: string, idOf: (quote: Quote) => Hex) =>
      codesOf("ETH", (quote) => forward(quote, to, idOf(quote)));
    const unsigned = "QUOTE_UNSIGNED_OUTPUT";
    expect(await codes(relayReceiver, requestIdOf)).to.deep.equal([unsigned]);
    expect(await codes(relayReceiver, () => strayId)).to.deep.equal(["QUOTE_REQUEST_ID", unsigned]);
    expect(await codes(attacker, requestIdOf)).to.deep.equal(["QUOTE_TARGET", unsigned]);
    const pay = (quote: Quote) => forward(quote, relayReceiver, requestIdOf(quote));
    expect(await codesWithRecord("ETH", pay)).to.deep.equal([]);
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

  it("reads the purpose of any Permit2 permission", async () => {
    // USDT has no permit of its own, so the payment uses Permit2 with a witness.
    const request = requestOf(fixture, "USDT", "USDC", { permitExpiry: 600, usePermit: true });
    const quote = await getQuote(fixture.client, request);
    const simulated = { allowSimulatedOutput: true, simulate: quoteSimulator(fixture.alpha.reader) };
    const codesOfValue = async (change: (value: Permission) => void) => {
      const changed = structuredClone(quote);
      change(signatureOf(changed).sign.value as Permission);
      const policy = { ...policyOf(fixture, quote), ...simulated };
      return (await findQuoteMismatches({ ...policy, quote: changed, request })).map(({ code }) => code);
    };
    expect(await codesOfValue(() => undefined)).to.deep.equal([]);
    const changes: readonly [string, (value: Permission) => void][] = [
      ["QUOTE_AMOUNT", ({ permitted }) => Object.assign(permitted[0] ?? {}, { amount: "1" })],
      ["QUOTE_AMOUNT", ({ permitted }) => permitted.push({ amount: "1", token: attacker })],
      ["QUOTE_SPENDER", (value) => Object.assign(value, { spender: attacker })],
      ["QUOTE_REFUND", ({ witness }) => Object.assign(witness, { refundTo: attacker })],
      ["QUOTE_RECIPIENT", ({ witness }) => Object.assign(witness, { nftRecipient: attacker })],
      ["QUOTE_ORDER_ID", ({ witness }) => witness.call3Values.splice(0)],
      [
        "QUOTE_CALLS",
        ({ witness }) => {
          for (const call of witness.call3Values) Object.assign(call, { allowFailure: true });
        },
      ],
    ];
    for (const [code, change] of changes) expect(await codesOfValue(change), code).to.include(code);
    // No wallet could sign it, and it must not throw.
    await codesOfValue(({ witness }) => Object.assign(witness.call3Values[0] ?? {}, { value: "much" }));
  });

  it("rejects a nonce mapping where no money comes from the perps exchange", async () => {
    const codes = await codesOf("ETH", (quote) => {
      const step = signatureStep(fixture, quote, "/authorize");
      const value = {
        chainId: "hyperliquid",
        depositor: quote.details.sender,
        id: orderOf(quote).protocol.orderId,
        nonce: "1",
        wallet: quote.details.sender,
      };
      const sign = {
        domain: { chainId: 1, name: "RelayNonceMapping", verifyingContract: zeroAddress, version: "2" },
        primaryType: "NonceMapping",
        signatureKind: "eip712",
        types: nonceMappingTypes,
        value,
      };
      Object.assign(step.items[0]?.data as object, { sign });
      quote.steps.unshift(step);
    });
    expect(codes).to.include("QUOTE_SIGNATURE");
  });
});
