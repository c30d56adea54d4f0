import { expect } from "chai";
import { concat, encodeFunctionData, formatUnits, type Hex, parseAbi } from "viem";
import { calls } from "../../../src/calls/calls.ts";
import { createClient, getQuote, getSignature, type Quote } from "../../../src/client/index.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { recipient, requestIdOf } from "../../helpers/quotes/intents.ts";
import { signatureOf, takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { attacker, orderOf, paymentOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { changeCalls, depositAbi, stealingSteps, swapFor } from "./hostileQuotes.ts";
import { quoteStage } from "./quoteStage.ts";

/** Attacks on `verifyQuote`, each by its number. */
describe("a hostile service that targets the money", () => {
  const fixture = useEmulator();
  const { addressOf, codesOf, quoted, robbedBy, user } = quoteStage(fixture);

  describe("steps after a signature", () => {
    it("Q1: steps appended after a signature, or in a saved state, are neither signed nor sent", async () => {
      const restore = await takeAuthorizations(fixture.alpha);
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const { policy: verify, quote } = await quoted(request);
      const requestId = requestIdOf(quote);
      const steps = stealingSteps(fixture, requestId);
      const client = createClient({
        baseUrl: fixture.emulator.info.apiUrl,
        fetch: async (url, init) =>
          url.includes("/execute/permits") ? Response.json({ steps }) : fetch(url, init),
        sleep: quickSleep,
      });
      const error = await robbedBy(quote, request, { client, verify });
      expect(error).to.be.instanceOf(QuoteMismatchError);
      const state = { appendedSteps: steps, items: [], requestId, version: 1 };
      expect(await robbedBy(quote, request, { state, verify })).to.be.instanceOf(QuoteMismatchError);
      const allowance = await fixture.alpha.reader.readContract({
        abi: parseAbi(["function allowance(address owner, address spender) view returns (uint256)"]),
        address: addressOf("USDC"),
        args: [user(), attacker],
        functionName: "allowance",
      });
      expect(allowance).to.equal(0n);
      await restore();
    });

    it("a permit alone, after which the service appends nothing and says success: is no success", async () => {
      const restore = await takeAuthorizations(fixture.alpha);
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const { policy: verify, quote } = await quoted(request);
      const status = { inTxHashes: [`0x${"1".repeat(64)}`], status: "success", txHashes: [] };
      const client = createClient({
        baseUrl: fixture.emulator.info.apiUrl,
        fetch: async (url, init) => {
          if (url.includes("/execute/permits")) return Response.json({ message: "Success" });
          return url.includes("/intents/status") ? Response.json(status) : fetch(url, init);
        },
        sleep: quickSleep,
      });
      const error = await robbedBy(quote, request, { client, verify });
      expect(error).to.include({ code: "STEP_REJECTED" });
      expect((error as Error).message).to.include("no step has paid");
      await restore();
    });

    it("Q1: proves and executes the deposit that the service appends to a permit", async () => {
      const restore = await takeAuthorizations(fixture.alpha);
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const { policy: verify, quote } = await quoted(request);
      const before = await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);
      const { status } = await execute(fixture.client, {
        publicClient: fixture.alpha.reader,
        quote,
        request,
        verify,
        wallet: fixture.alpha.wallet(0),
      });
      expect(status).to.equal("success");
      const gained = (await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient)) - before;
      expect(gained >= (verify.minimumOutput ?? 0n)).to.equal(true);
      await restore();
    });
  });

  describe("quotes without an order", () => {
    it("Q2: a dropped order across chains is rejected, whatever names the recipient", async () => {
      const request = requestOf(fixture, "WETH", "USDC");
      const { policy, quote } = await quoted(request);
      delete quote.protocol;
      expect(await codesOf(quote, request, policy)).to.include("QUOTE_ORDER");
    });

    it("Q2: the guard reverts a same-chain route whose venue pays another account", async () => {
      const request = requestOf(fixture, "ETH", "USDC", { sameChain: true });
      const { policy: verify, quote } = await quoted(request);
      const amount = BigInt(request.amount);
      changeCalls(quote, () => [
        ...swapFor(fixture.alpha, { amount, from: "ETH", to: attacker }),
        {
          allowFailure: false,
          callData: encodeFunctionData({ abi: depositAbi, args: [recipient], functionName: "balanceOf" }),
          target: addressOf("USDC"),
          value: 0n,
        },
      ]);
      expect(await codesOf(quote, request, verify)).to.deep.equal([]);
      expect(await robbedBy(quote, request, { verify })).to.include({ code: "STEP_REJECTED" });
    });

    it("Q2: a same-chain route one unit below the minimum reverts, and one at the minimum is executed", async () => {
      const request = requestOf(fixture, "ETH", "USDC", { sameChain: true });
      const { policy, quote } = await quoted(request);
      const output = BigInt(quote.details.currencyOut.amount);
      const error = await robbedBy(quote, request, { verify: { ...policy, minimumOutput: output + 1n } });
      expect(error).to.be.instanceOf(QuoteMismatchError);
      const lying = structuredClone(quote);
      lying.details.currencyOut.minimumAmount = (output + 1n).toString();
      lying.details.currencyOut.amount = (output + 1n).toString();
      lying.details.currencyOut.amountFormatted = formatUnits(output + 1n, 6);
      const verify = { ...policy, minimumOutput: output + 1n };
      expect(await robbedBy(lying, request, { verify })).to.include({ code: "STEP_REJECTED" });
      const exact = structuredClone(quote);
      exact.details.currencyOut.minimumAmount = output.toString();
      const before = await fixture.alpha.balanceOf(addressOf("USDC"), recipient);
      const { status } = await execute(fixture.client, {
        publicClient: fixture.alpha.reader,
        quote: exact,
        request,
        verify: { ...policy, minimumOutput: output },
        wallet: fixture.alpha.wallet(0),
      });
      expect(status).to.equal("success");
      expect((await fixture.alpha.balanceOf(addressOf("USDC"), recipient)) - before).to.equal(output);
    });
  });

  it("Q3: a payment under the id of a request that pays the attacker is rejected, even with the solver's own record", async () => {
    const request = requestOf(fixture, "USDC", "USDC");
    const { policy, quote } = await quoted(request);
    const other = await getQuote(fixture.client, { ...request, recipient: attacker });
    const otherId = requestIdOf(other);
    delete quote.protocol;
    quote.steps = quote.steps
      .slice(-1)
      .map((step) => ({ ...step, requestId: otherId })) as typeof quote.steps;
    const args = [fixture.emulator.info.solver, BigInt(request.amount)] as const;
    paymentOf(quote).data = concat([
      encodeFunctionData({ abi: depositAbi, args, functionName: "transfer" }),
      otherId,
    ]);
    paymentOf(quote).to = addressOf("USDC");
    expect(await codesOf(quote, request, policy)).to.include("QUOTE_UNSIGNED_OUTPUT");
    const record = await getSignature(fixture.client, { requestId: otherId });
    const lenient = { ...policy, allowUnsignedOutput: true, record };
    expect(await codesOf(quote, request, lenient)).to.deep.equal(["QUOTE_RECORD"]);
  });

  describe("deposits for show", () => {
    const deposit = (quote: Quote, amount: bigint | undefined) => {
      const token = addressOf("USDC");
      const id = orderOf(quote).protocol.orderId as Hex;
      const { depository } = fixture.alpha.info.contracts;
      const data =
        amount === undefined
          ? encodeFunctionData({ abi: depositAbi, args: [user(), token, id], functionName: "depositErc20" })
          : encodeFunctionData({
              abi: depositAbi,
              args: [user(), token, amount, id],
              functionName: "depositErc20",
            });
      const args = [[token], [depository], [data], [amount ?? 0n]] as const;
      return encodeFunctionData({ abi: depositAbi, args, functionName: "cleanupErc20sViaCall" });
    };

    it("Q4: a deposit of one unit, to another contract, that is not the last call or that may fail is rejected", async () => {
      const request = requestOf(fixture, "USDT", "USDC");
      const { policy, quote: honest } = await quoted(request);
      const codesWith = async (change: Parameters<typeof changeCalls>[1]) => {
        const quote = structuredClone(honest);
        changeCalls(quote, change);
        return codesOf(quote, request, policy);
      };
      const last = (change: object) => (calls: Parameters<Parameters<typeof changeCalls>[1]>[0]) =>
        calls.map((call, index) => (index === calls.length - 1 ? { ...call, ...change } : call));
      expect(await codesWith(last({ callData: deposit(honest, 1n) }))).to.deep.equal(["QUOTE_AMOUNT"]);
      for (const change of [{ allowFailure: true }, { target: attacker }]) {
        expect(await codesWith(last(change))).to.deep.equal(["QUOTE_CALLS"]);
      }
      expect(await codesWith((calls) => [...calls, ...calls.slice(0, 1)])).to.deep.equal(["QUOTE_ORDER_ID"]);
      expect(await codesWith((calls) => calls.slice(0, -1))).to.deep.equal(["QUOTE_ORDER_ID"]);
    });

    it("Q5: the guard reverts when the venue takes all but one unit before a deposit of the rest", async () => {
      const request = requestOf(fixture, "USDT", "USDC");
      const { policy: verify, quote } = await quoted(request);
      const amount = BigInt(request.amount);
      const router = fixture.alpha.info.contracts.v3.erc20Router;
      changeCalls(quote, (calls) => [
        ...swapFor(fixture.alpha, { amount: amount - 3n, from: "USDT", to: attacker }),
        ...swapFor(fixture.alpha, { amount: 3n, from: "USDT", to: router }),
        ...calls.slice(-1),
      ]);
      expect(await codesOf(quote, request, verify)).to.deep.equal([]);
      // The approval is mined, the payment is not.
      expect(await robbedBy(quote, request, { verify })).to.include({ code: "STEP_REJECTED" });
    });
  });

  describe("ERC-3009 authorizations", () => {
    it("Q6: an ERC-3009 authorization that the request did not ask for is rejected", async () => {
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const { policy, quote } = await quoted(request);
      const { usePermit: _, ...unasked } = request;
      expect(signatureOf(quote).sign.primaryType).to.equal("ReceiveWithAuthorization");
      expect(await codesOf(quote, unasked, policy)).to.deep.equal(["QUOTE_SIGNATURE"]);
      expect(await codesOf(quote, request, policy)).to.deep.equal([]);
    });

    it("Q6: an authorization whose nonce is the hash of other calls than the shown ones, or of none, is rejected", async () => {
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const { policy, quote } = await quoted(request);
      signatureOf(quote).sign.value.nonce = `0x${"ab".repeat(32)}`;
      expect(await codesOf(quote, request, policy)).to.deep.equal(["QUOTE_SIGNATURE"]);
      const hidden = structuredClone((await quoted(request)).quote);
      const { step } = signatureOf(hidden);
      delete step.items[0]?.data?.witness;
      expect(await codesOf(hidden, request, policy)).to.deep.equal(
        ["QUOTE_SIGNATURE", "QUOTE_ORDER"].slice(0, 1),
      );
    });
  });

  it("Q11: same-chain calls that may fail, that are not last, or that others follow, are rejected", async () => {
    const transfer = encodeFunctionData({ abi: depositAbi, args: [recipient, 7n], functionName: "transfer" });
    const router = fixture.alpha.info.contracts.v3.erc20Router;
    const { txs } = calls({ router })
      .add({ data: transfer, to: addressOf("USDC"), value: 0n })
      .sweepErc20s({ recipient, tokens: [addressOf("USDC")] });
    const request = requestOf(fixture, "ETH", "USDC", { sameChain: true, txs });
    const { policy, quote: honest } = await quoted(request);
    expect(await codesOf(honest, request, policy)).to.deep.equal([]);
    const codesWith = async (change: Parameters<typeof changeCalls>[1]) => {
      const quote = structuredClone(honest);
      changeCalls(quote, change);
      return codesOf(quote, request, policy);
    };
    const mayFail = await codesWith((calls) => calls.map((call) => ({ ...call, allowFailure: true })));
    expect(mayFail).to.deep.equal(["QUOTE_CALLS"]);
    expect(await codesWith((calls) => [...calls].reverse())).to.deep.equal(["QUOTE_CALLS"]);
    expect(await codesWith((calls) => [...calls, ...calls.slice(0, 1)])).to.deep.equal(["QUOTE_CALLS"]);
    const stolen = structuredClone(honest);
    const amount = BigInt(request.amount);
    changeCalls(stolen, (calls) => [
      ...swapFor(fixture.alpha, { amount, from: "ETH", to: attacker }),
      ...calls.slice(-2),
    ]);
    expect(await codesOf(stolen, request, policy)).to.deep.equal([]);
    const error = await robbedBy(stolen, request, { verify: policy });
    expect(error).to.include({ code: "STEP_REJECTED" });
  });

  it("Q12: execute never asks the service which contracts to trust", async () => {
    const asked: string[] = [];
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: async (url, init) => {
        asked.push(new URL(url).pathname);
        return fetch(url, init);
      },
      sleep: quickSleep,
    });
    const request = requestOf(fixture, "ETH", "ETH");
    const { policy: verify, quote } = await quoted(request);
    await execute(client, {
      publicClient: fixture.alpha.reader,
      quote,
      request,
      verify,
      wallet: fixture.alpha.wallet(0),
    });
    expect(asked).not.to.include("/chains");
    const { trust: _, ...untrusting } = verify;
    expect(await codesOf(quote, request, untrusting)).to.include("QUOTE_UNKNOWN_CHAIN");
  });
});
