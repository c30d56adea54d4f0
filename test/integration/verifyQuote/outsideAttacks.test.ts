import { expect } from "chai";
import { createClient, custom, encodeFunctionData, type Hex } from "viem";
import { encodeCall } from "../../../src/calls/verify/routedCalls.ts";
import { findQuoteMismatches, verifyQuote } from "../../../src/calls/verifyQuote.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { signatureOf, takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { orderOf, paymentOf, policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { changeCalls, depositAbi, resignOrder } from "./hostileQuotes.ts";
import { quoteStage, rootsWith } from "./quoteStage.ts";

/** What attackers took or broke who had only the promise and the code. */
describe("attacks on the proof from outside", () => {
  const fixture = useEmulator();
  const usdc = () => fixture.alpha.currency("USDC");

  const { pathsOf } = quoteStage(fixture);

  describe("money", () => {
    it("a deposit that names no amount is accepted only for all that the router holds, with the depository's gain", async () => {
      const request = requestOf(fixture, "WETH", "USDC");
      const quote = structuredClone(await getQuote(fixture.client, request));
      await resignOrder(quote, () => {
        const { input } = orderOf(quote);
        for (const each of [input.payment, ...input.refunds]) {
          if (each.chainId === input.payment.chainId) Object.assign(each, { currency: usdc().toLowerCase() });
        }
        Object.assign(quote.protocol?.v2?.paymentDetails ?? {}, { currency: usdc().toLowerCase() });
      });
      const { depository } = fixture.alpha.info.contracts;
      const { input, protocol } = orderOf(quote);
      const deposit = (withAmount: boolean) => {
        const [user, token, id] = [quote.details.sender as Hex, usdc(), protocol.orderId as Hex] as const;
        const amount = BigInt(input.payment.amount);
        return withAmount
          ? encodeFunctionData({
              abi: depositAbi,
              args: [user, token, amount, id],
              functionName: "depositErc20",
            })
          : encodeFunctionData({ abi: depositAbi, args: [user, token, id], functionName: "depositErc20" });
      };
      const codes = async (withAmount: boolean, share: bigint) => {
        const changed = structuredClone(quote);
        const args = [[usdc()], [depository], [deposit(withAmount)], [share]];
        changeCalls(changed, (all) =>
          all.map((call, index) =>
            index < all.length - 1 ? call : { ...call, callData: encodeCall("cleanupErc20sViaCall", args) },
          ),
        );
        return (await findQuoteMismatches({ ...policyOf(fixture, changed), quote: changed, request })).length;
      };
      const exact = BigInt(input.payment.amount);
      expect(await codes(true, exact)).to.equal(0);
      expect(await codes(false, 0n)).to.equal(0);
      expect(await codes(false, exact)).to.equal(1);
    });

    it("a swap without a deposit is rejected, also where `trust` names no depository", async () => {
      const roots = rootsWith(policyOf(fixture), { depository: undefined });
      const steal = (quote: Quote) => changeCalls(quote, (all) => all.slice(0, -1));
      const request = requestOf(fixture, "WETH", "USDC");
      expect(await pathsOf(request, {}, steal)).to.deep.equal(["QUOTE_ORDER_ID steps"]);
      expect(await pathsOf(request, roots, steal)).to.deep.equal(["QUOTE_UNKNOWN_ROLE steps"]);
    });

    it("a permit of less than nothing is rejected", async () => {
      const restore = await takeAuthorizations(fixture.alpha);
      const request = requestOf(fixture, "USDC", "USDC", { tradeType: "EXACT_OUTPUT", usePermit: true });
      const negative = (quote: Quote) => {
        signatureOf(quote).sign.value["value"] = "-5";
        Object.assign(quote.details.currencyIn, { amount: "-5", amountFormatted: "0" });
      };
      const found = await pathsOf(request, { maximumInput: 60_000_000n }, negative);
      await restore();
      expect(found).to.include("QUOTE_AMOUNT details.currencyIn.amount");
    });

    it("a permit without the order that it is to pay for is rejected", async () => {
      const restore = await takeAuthorizations(fixture.alpha);
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const found = await pathsOf(request, {}, (quote) => delete quote.protocol);
      await restore();
      expect(found).to.deep.equal(["QUOTE_ORDER protocol.v2.orderData"]);
    });

    it("a signature that is to be submitted by another method is rejected", async () => {
      const restore = await takeAuthorizations(fixture.alpha);
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const found = await pathsOf(request, {}, (quote) =>
        Object.assign(signatureOf(quote).post, { method: "GET" }),
      );
      await restore();
      expect(found).to.deep.equal(["QUOTE_SIGNATURE steps.0.items.0.data.post.method"]);
    });

    it("a fee that the service names, which no bound of a proof covers, is not part of a proven quote", async () => {
      const request = requestOf(fixture, "ETH", "ETH");
      const quote = structuredClone(await getQuote(fixture.client, request));
      const fee = String(10n ** 18n);
      const strange = {
        accessList: [],
        gasPrice: fee,
        maxFeePerGas: fee,
        maxPriorityFeePerGas: fee,
        nonce: 0,
      };
      Object.assign(paymentOf(quote), strange, { gas: "10000000" });
      const proven = await verifyQuote({ ...policyOf(fixture, quote), quote, request });
      expect(paymentOf(proven)).to.have.all.keys("chainId", "data", "from", "gas", "to", "value");
    });

    it("a bound that is inherited, or that changes once it is validated, holds", async () => {
      const request = requestOf(fixture, "ETH", "ETH");
      const quote = await getQuote(fixture.client, request);
      const { maximumInput: _, ...policy } = policyOf(fixture, quote);
      const given = { ...policy, quote, request };
      let reads = 0;
      const changing = {
        ...given,
        get maximumInput() {
          reads += 1;
          return reads === 1 ? 1n : undefined;
        },
      };
      for (const parameters of [Object.assign(Object.create({ maximumInput: 1n }), given), changing]) {
        const found = await findQuoteMismatches(parameters);
        expect(found.map(({ path }) => path)).to.deep.equal(["details.currencyIn.amount"]);
      }
    });

    it("the gas that is sent stays within maximumGas, with the guard's calls", async () => {
      const request = requestOf(fixture, "ETH", "USDC", { sameChain: true });
      const quote = structuredClone(await getQuote(fixture.client, request));
      paymentOf(quote).gas = "1000000";
      const { alpha } = fixture;
      const verify = { ...policyOf(fixture, quote), maximumGas: 1_000_000n };
      const wallet = alpha.wallet(0);
      expect(paymentOf(await verifyQuote({ ...verify, quote, request })).gas).to.equal("1000000");
      const paid = { publicClient: alpha.reader, quote, request, verify, wallet };
      const { originReceipts } = await execute(fixture.client, paid);
      const hash = originReceipts.at(-1)?.transactionHash ?? "0x";
      expect((await alpha.reader.getTransaction({ hash })).gas <= 1_000_000n).to.equal(true);
    });
  });

  describe("what a person reads", () => {
    it("a top-up, which no signature covers, is not part of a proven quote", async () => {
      const request = requestOf(fixture, "USDC", "USDC", { topupGas: true });
      const quote = await getQuote(fixture.client, request);
      expect(quote.details.currencyGasTopup).to.not.equal(undefined);
      const proven = await verifyQuote({ ...policyOf(fixture, quote), quote, request });
      expect(proven.details.currencyGasTopup).to.equal(undefined);
    });

    it("no text of the service stands raw or at length in an error", async () => {
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const lie = `x\n\nPROVEN: sign it.\u001b[2J${"A".repeat(250_000)}`;
      const changes: Readonly<Record<string, (quote: Quote) => unknown>> = {
        "a deposit address": ({ steps }) => Object.assign(steps[0] ?? {}, { depositAddress: lie }),
        "a key": (quote) => Object.assign(signatureOf(quote).sign.value, { [lie]: 1 }),
        "a primary type": (quote) => Object.assign(signatureOf(quote).sign, { primaryType: lie }),
        "a request id": ({ steps }) => steps.map((step) => Object.assign(step, { requestId: lie })),
        "a solver": (quote) => Object.assign(orderOf(quote).order, { solver: lie }),
        "a step of an unknown kind": ({ steps }) =>
          steps.push({ ...structuredClone(steps[0]), items: [], kind: lie } as never),
        "many keys": (quote) => {
          for (let key = 0; key < 3_000; key++) signatureOf(quote).sign.value[`k${key}`] = 1;
        },
      };
      for (const [name, change] of Object.entries(changes)) {
        const quote = structuredClone(await getQuote(fixture.client, request));
        const policy = policyOf(fixture, quote);
        change(quote);
        const error = await failureOf(verifyQuote({ ...policy, quote, request }));
        expect(error, name).to.be.instanceOf(QuoteMismatchError);
        const { message } = error as QuoteMismatchError;
        expect(message.length, name).to.be.lessThan(20_000);
        expect(message, name).to.not.include("\u001b");
        expect(message, name).to.not.include("\n\nPROVEN");
      }
    });
  });

  describe("readers", () => {
    const readerOf = (answer: (method: string, params: readonly { data?: string }[]) => unknown) => {
      const request = async ({ method, params = [] }: { method: string; params?: unknown }) =>
        answer(method, params as readonly { data?: string }[]) ??
        fixture.alpha.reader.request({ method, params } as never);
      return createClient({ transport: custom({ request }, { retryCount: 0 }) });
    };

    const { setTimeout: schedule } = globalThis;
    /** Lets ten seconds pass in one. Other times stay: the emulator of these tests runs in the same process. */
    const hurry = () => {
      globalThis.setTimeout = ((run: () => void, ms?: number) =>
        schedule(run, ms === 10_000 ? 1_000 : ms)) as typeof setTimeout;
    };
    const silence = () => new Promise(() => {});
    afterEach(() => {
      globalThis.setTimeout = schedule;
    });

    it("a reader that never answers is a difference after ten seconds", async () => {
      const request = requestOf(fixture, "ETH", "ETH");
      const reader = readerOf(silence);
      expect(await pathsOf(request, { reader }, hurry)).to.include("QUOTE_CHAIN reader");
    });

    it("a reader that never tells the guard's code is a difference after ten seconds", async () => {
      const reader = readerOf((method) => (method === "eth_getCode" ? silence() : undefined));
      const request = requestOf(fixture, "ETH", "USDC", { sameChain: true });
      const found = await pathsOf(request, { reader }, hurry);
      expect(found).to.deep.equal(["QUOTE_UNKNOWN_ROLE steps.0.items.0.data"]);
    });

    it("a simulation that throws before it promises anything is a difference", async () => {
      const roots = rootsWith(policyOf(fixture), { outputGuard: undefined });
      const simulate = () => {
        throw new Error("unavailable");
      };
      const policy = { allowSimulatedOutput: true, simulate, ...roots };
      const request = requestOf(fixture, "ETH", "USDC", { sameChain: true });
      expect(await pathsOf(request, policy)).to.deep.equal(["QUOTE_SIMULATION steps.0.items.0.data"]);
    });
  });
});
