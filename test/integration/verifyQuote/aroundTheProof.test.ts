import { expect } from "chai";
import { type Address, createPublicClient, custom, type Hex } from "viem";
import { calls } from "../../../src/calls/calls.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { type GetQuoteParameters, getQuote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import { recipient } from "../../helpers/quotes/intents.ts";
import { orderOf, policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { quoteStage, rootsWith } from "./quoteStage.ts";

/** Attacks around the proof, each by its number, and honest quotes that a proof must not refuse without help. */
describe("what surrounds a proof", () => {
  const fixture = useEmulator();
  const usdc = () => fixture.alpha.currency("USDC");
  const router = () => fixture.alpha.info.contracts.v3.erc20Router;
  const callee = "0x00000000000000000000000000000000000ca11e";

  const { differences, pathsOf } = quoteStage(fixture);

  describe("calls on one chain", () => {
    const asked = (txs: GetQuoteParameters["txs"]) =>
      requestOf(fixture, "ETH", "USDC", { sameChain: true, txs });
    const transfer = () => ({ data: erc20Data("transfer", callee, 7n), to: usdc(), value: 0n });

    it("P9: calls that leave the output on the public router are rejected, with the sweep that is missing", async () => {
      const bare = calls({ router: router() }).add(transfer()).txs;
      const [found] = await differences(asked(bare));
      expect(found).to.include({ code: "QUOTE_CALLS" });
      expect(found?.expected).to.include("sweepErc20s");
      for (const sweep of [
        { recipient: callee as Address, tokens: [usdc()] },
        { recipient, tokens: [fixture.alpha.currency("WETH")] },
      ]) {
        const other = calls({ router: router() }).add(transfer()).sweepErc20s(sweep).txs;
        expect(await pathsOf(asked(other))).to.deep.equal(["QUOTE_CALLS steps"]);
      }
    });

    it("P9: calls that end in a sweep to the recipient leave nothing on the router", async () => {
      const { txs } = calls({ router: router() })
        .add(transfer())
        .sweepErc20s({ recipient, tokens: [usdc()] });
      const request = asked(txs);
      const quote = await getQuote(fixture.client, request);
      const policy = policyOf(fixture, quote);
      const before = await fixture.alpha.balanceOf(usdc(), recipient);
      const { reader } = fixture.alpha;
      const wallet = fixture.alpha.wallet(0);
      await execute(fixture.client, { publicClient: reader, quote, request, verify: policy, wallet });
      const gained = (await fixture.alpha.balanceOf(usdc(), recipient)) - before;
      expect(gained >= (policy.minimumOutput ?? 0n) - 7n).to.equal(true);
      expect(await fixture.alpha.balanceOf(usdc(), router())).to.equal(0n);
    });
  });

  describe("shown values", () => {
    it("P10: a value of any length is cut in a difference", async () => {
      const [found] = await differences(requestOf(fixture, "ETH", "ETH"), {}, (quote) => {
        orderOf(quote).order.version = "9".repeat(990_000);
      });
      expect(found?.actual.length).to.be.lessThan(400);
    });
  });

  describe("readers", () => {
    const sent = () => requestOf(fixture, "ETH", "ETH", { sameChain: true });

    it("P11: calldata that the service chose reaches no recipient with code", async () => {
      const { reader } = fixture.alpha;
      expect(await pathsOf(sent(), { reader })).to.deep.equal([]);
      const request = { ...sent(), recipient: callee } as const;
      const quote = await getQuote(fixture.client, request);
      const policy = { ...policyOf(fixture, quote), reader };
      expect(await findQuoteMismatches({ ...policy, quote, request })).to.deep.equal([]);
      // Code that takes any call. An honest service pays a contract by the router.
      await setCode(fixture.alpha, callee, "0x00");
      const [found] = await findQuoteMismatches({ ...policy, quote, request });
      expect(found).to.include({ actual: "0x00", code: "QUOTE_CALL", path: "steps" });
      expect(await pathsOf(request, { reader })).to.deep.equal([]);
      expect(await pathsOf(sent())).to.deep.equal(["QUOTE_CALL steps"]);
      const failing = createPublicClient({
        transport: custom(
          {
            request: async ({ method }: { method: string }) => {
              if (method === "eth_chainId") return `0x${fixture.alpha.info.id.toString(16)}` as Hex;
              throw new Error("unavailable");
            },
          },
          { retryCount: 0 },
        ),
      });
      expect(await pathsOf(sent(), { reader: failing })).to.deep.equal(["QUOTE_CALL steps"]);
    });
  });

  describe("honest quotes", () => {
    it("a deposit address is refused with the reason and what to do", async () => {
      const request = requestOf(fixture, "USDC", "USDC", { refundTo: recipient, useDepositAddress: true });
      const found = await differences(request);
      expect(found).to.have.length(1);
      expect(found[0]).to.include({ code: "QUOTE_TARGET", path: "steps.0.depositAddress" });
      expect(found[0]?.expected).to.include("nobody signs whose a deposit address is");
    });

    it("a fair price passes with the service's fees and slippage, and an unfair one does not", async () => {
      const request = requestOf(fixture, "WETH", "USDC", { slippageTolerance: "100" });
      const quote = await getQuote(fixture.client, request);
      // A price without the fees that the quote takes.
      const fair = (BigInt(quote.details.currencyOut.amount) * 101n) / 100n;
      const { minimumOutput: _, ...policy } = policyOf(fixture, quote);
      const codes = async (price: bigint) =>
        (await findQuoteMismatches({ ...policy, price: () => price, quote, request })).map(
          ({ code }) => code,
        );
      expect(await codes(fair)).to.deep.equal([]);
      expect(await codes((fair * 105n) / 100n)).to.include("QUOTE_OUTPUT");
    });

    it("a signature that fixes the calls of a swap is refused with the reason and what to do", async () => {
      const crossing = requestOf(fixture, "USDT", "USDC", { usePermit: true });
      const onOneChain = requestOf(fixture, "USDC", "WETH", { sameChain: true, usePermit: true });
      for (const request of [crossing, onOneChain]) {
        const [found] = await differences(request);
        expect(found).to.include({ actual: "calls that are signed", code: "QUOTE_UNGUARDED" });
        expect(found?.expected).to.include("usePermit: false").and.to.include("allowSimulatedOutput");
      }
    });

    it("a transfer, a wrap and an unwrap on one chain pass without a guard, and a swap names it", async () => {
      const { reader } = fixture.alpha;
      const own = { recipient: undefined, sameChain: true } as const;
      for (const request of [
        requestOf(fixture, "ETH", "WETH", own),
        requestOf(fixture, "WETH", "ETH", own),
        requestOf(fixture, "ETH", "ETH", { sameChain: true }),
        requestOf(fixture, "USDC", "USDC", { sameChain: true }),
      ]) {
        const roots = rootsWith(policyOf(fixture), { outputGuard: undefined });
        expect(await pathsOf(request, { ...roots, reader })).to.deep.equal([]);
      }
      const swap = requestOf(fixture, "ETH", "USDC", { sameChain: true });
      const [found] = await differences(swap, rootsWith(policyOf(fixture), { outputGuard: undefined }));
      expect(found).to.include({ actual: "no guard is known", code: "QUOTE_UNGUARDED" });
      expect(found?.expected).to.include("outputGuard");
    });
  });
});
