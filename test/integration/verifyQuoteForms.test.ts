import { expect } from "chai";
import { concat, encodeFunctionData, erc20Abi, type Hex, parseAbi } from "viem";
import { findQuoteMismatches } from "../../src/calls/verifyQuote.ts";
import { getChains, getQuote, type Quote } from "../../src/client/index.ts";
import type { Chain } from "../../src/schema/chain.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import type { TestSymbol } from "../helpers/intents.ts";
import { signatureOf } from "../helpers/permits.ts";
import { attacker, orderOf, paymentOf, requestOf, signatureStep, strayId } from "../helpers/quoteChanges.ts";

const abi = parseAbi([
  "function depositErc20(address depositor, address token, bytes32 id)",
  "function forward(bytes data)",
]);

type Permission = {
  permitted: { amount: string; token: string }[];
  spender: string;
  witness: { call3Values: object[]; nftRecipient: string; refundTo: string };
};

/** Forms of payment that the service documents and that the emulator's own quotes do not have. */
describe("verifyQuote of other forms of payment", () => {
  let fixture: EmulatorFixture;
  let chains: readonly Chain[];
  before(async () => {
    fixture = await startFixture();
    chains = (await getChains(fixture.client)).chains;
  });
  after(() => fixture.stop());

  /** What is found in a quote that was changed, or in the quote as it was. */
  async function codesOf(symbol: TestSymbol, change: (quote: Quote) => void): Promise<string[]> {
    const request = requestOf(fixture, symbol, symbol);
    const quote = structuredClone(await getQuote(fixture.client, request));
    change(quote);
    return (await findQuoteMismatches({ chains, quote, request })).map(({ code }) => code);
  }

  const contracts = () => fixture.alpha.info.contracts;
  const tagged = (quote: Quote, to: string, id: Hex) => {
    quote.steps = quote.steps.filter(({ id: step }) => step !== "approve");
    const amount = BigInt(quote.details.currencyIn.amount);
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      args: [to as Hex, amount],
      functionName: "transfer",
    });
    Object.assign(paymentOf(quote), { data: concat([transfer, id]), to: fixture.alpha.currency("USDC") });
  };
  const requestIdOf = (quote: Quote) => quote.steps[0]?.requestId as Hex;

  it("takes a deposit of the whole allowance, for this order and of this amount alone", async () => {
    const deposit = (quote: Quote, id: Hex) => {
      const args = [quote.details.sender as Hex, fixture.alpha.currency("USDC"), id] as const;
      paymentOf(quote).data = encodeFunctionData({ abi, args, functionName: "depositErc20" });
    };
    const orderIdOf = (quote: Quote) => orderOf(quote).protocol.orderId as Hex;
    expect(await codesOf("USDC", (quote) => deposit(quote, orderIdOf(quote)))).to.deep.equal([]);
    expect(await codesOf("USDC", (quote) => deposit(quote, strayId))).to.deep.equal(["QUOTE_ORDER_ID"]);
    const unapproved = await codesOf("USDC", (quote) => {
      deposit(quote, orderIdOf(quote));
      quote.steps = quote.steps.filter(({ id }) => id !== "approve");
    });
    expect(unapproved).to.deep.equal(["QUOTE_AMOUNT"]);
  });

  it("takes a transfer with the order's id to the depository, and with the request's to the solver", async () => {
    const { depository } = contracts();
    const { solver } = fixture.emulator.info;
    const codes = (to: string, idOf: (quote: Quote) => Hex) =>
      codesOf("USDC", (quote) => tagged(quote, to, idOf(quote)));
    expect(await codes(depository, (quote) => orderOf(quote).protocol.orderId as Hex)).to.deep.equal([]);
    expect(await codes(depository, () => strayId)).to.deep.equal(["QUOTE_ORDER_ID"]);
    expect(await codes(solver, requestIdOf)).to.deep.equal([]);
    expect(await codes(attacker, requestIdOf)).to.deep.equal(["QUOTE_TARGET"]);
  });

  it("takes what is forwarded by the service's receiver for this request", async () => {
    const forward = (quote: Quote, to: string, id: Hex) =>
      Object.assign(paymentOf(quote), {
        data: encodeFunctionData({ abi, args: [id], functionName: "forward" }),
        to,
      });
    const { relayReceiver } = contracts();
    const codes = (to: string, idOf: (quote: Quote) => Hex) =>
      codesOf("ETH", (quote) => forward(quote, to, idOf(quote)));
    expect(await codes(relayReceiver, requestIdOf)).to.deep.equal([]);
    expect(await codes(relayReceiver, () => strayId)).to.deep.equal(["QUOTE_REQUEST_ID"]);
    expect(await codes(attacker, requestIdOf)).to.deep.equal(["QUOTE_TARGET"]);
  });

  it("reads what a Permit2 permission pays for, whatever stands in it", async () => {
    // USDT has no permission of its own, so Permit2 asks for the witness.
    const request = requestOf(fixture, "USDT", "USDC", { permitExpiry: 600, usePermit: true });
    const quote = await getQuote(fixture.client, request);
    const codesOfValue = async (change: (value: Permission) => void) => {
      const changed = structuredClone(quote);
      change(signatureOf(changed).sign.value as Permission);
      return (await findQuoteMismatches({ chains, quote: changed, request })).map(({ code }) => code);
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
        "QUOTE_ORDER_ID",
        ({ witness }) => {
          for (const call of witness.call3Values) Object.assign(call, { allowFailure: true });
        },
      ],
    ];
    for (const [code, change] of changes) expect(await codesOfValue(change), code).to.include(code);
    // Nobody could sign it, and nobody is to stumble over it.
    await codesOfValue(({ witness }) => Object.assign(witness.call3Values[0] ?? {}, { value: "much" }));
  });

  it("takes a nonce mapping of this user for this order alone", async () => {
    const mapping = (change: object) => (quote: Quote) => {
      const step = signatureStep(fixture, quote, "/authorize");
      const value = {
        chainId: "hyperliquid",
        depositor: quote.details.sender,
        id: orderOf(quote).protocol.orderId,
        nonce: "1",
        wallet: quote.details.sender,
        ...change,
      };
      const types = { NonceMapping: Object.keys(value).map((name) => ({ name, type: "string" })) };
      const sign = { domain: {}, primaryType: "NonceMapping", signatureKind: "eip712", types, value };
      Object.assign(step.items[0]?.data as object, { sign });
      quote.steps.unshift(step);
    };
    expect(await codesOf("ETH", mapping({}))).to.deep.equal([]);
    expect(await codesOf("ETH", mapping({ wallet: attacker }))).to.deep.equal(["QUOTE_SENDER"]);
    expect(await codesOf("ETH", mapping({ id: strayId }))).to.deep.equal(["QUOTE_ORDER_ID"]);
  });
});
