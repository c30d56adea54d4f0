import { expect } from "chai";
import { encodeFunctionData, erc20Abi, parseEther, parseUnits, zeroAddress } from "viem";
import { calls } from "../../src/calls/calls.ts";
import { findQuoteMismatches } from "../../src/calls/verifyQuote.ts";
import { type GetQuoteParameters, getChains, getQuote, type Quote } from "../../src/client/index.ts";
import { QuoteMismatchError } from "../../src/errors/QuoteMismatchError.ts";
import { execute } from "../../src/execute/index.ts";
import type { Chain } from "../../src/schema/chain.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { recipient, symbols } from "../helpers/intents.ts";
import { signatureOf, takeAuthorizations } from "../helpers/permits.ts";
import { attacker, orderOf, paymentOf, replaceWord, requestOf, strayId } from "../helpers/quoteChanges.ts";

describe("verifyQuote", () => {
  let fixture: EmulatorFixture;
  let chains: readonly Chain[];
  before(async () => {
    fixture = await startFixture();
    chains = (await getChains(fixture.client)).chains;
  });
  after(() => fixture.stop());

  describe("of every kind of quote that the service makes", () => {
    const tradeTypes = ["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const;
    for (const sameChain of [false, true]) {
      for (const tradeType of tradeTypes) {
        it(`passes between all currencies, ${sameChain ? "on one chain" : "across chains"}, ${tradeType}`, async () => {
          for (const from of symbols) {
            for (const to of symbols) {
              // On one chain, USDC and USDT have no pool of their own with each other.
              const request = requestOf(fixture, from, to, {
                sameChain,
                slippageTolerance: "150",
                tradeType,
              });
              const quote = await getQuote(fixture.client, request);
              const found = await findQuoteMismatches({ chains, quote, request });
              expect(found, `${from} ${to}`).to.deep.equal([]);
              expect(await findQuoteMismatches({ quote }), `${from} ${to} alone`).to.deep.equal([]);
            }
          }
        }).timeout(60_000);
      }
    }

    it("passes with calls, with a time limit, with another refund address, and for the user's own account", async () => {
      const { alpha, beta } = fixture;
      const router = beta.info.contracts.v3.erc20Router;
      const value = parseEther("0.01");
      const { txs } = calls({ router }).add({ data: "0x", to: recipient, value }).sweepNative({ recipient });
      const transfer = encodeFunctionData({ abi: erc20Abi, args: [recipient, 7n], functionName: "transfer" });
      const own = alpha.info.contracts.v3.erc20Router;
      const ownTxs = calls({ router: own }).add({ data: transfer, to: alpha.currency("USDC"), value: 0n });
      const requests = [
        requestOf(fixture, "ETH", "ETH", { txs }),
        requestOf(fixture, "USDC", "ETH", { amount: value, tradeType: "EXACT_OUTPUT", txs }),
        requestOf(fixture, "ETH", "USDC", { sameChain: true, txs: ownTxs.txs }),
        requestOf(fixture, "USDC", "USDT", { refundTo: attacker, ttl: 600 }),
        requestOf(fixture, "WETH", "USDC", { recipient: undefined }),
        requestOf(fixture, "ETH", "WETH", { recipient: undefined, sameChain: true }),
        requestOf(fixture, "WETH", "ETH", { recipient: undefined, sameChain: true }),
        requestOf(fixture, "ETH", "ETH", { includeProtocolData: false }),
        requestOf(fixture, "USDC", "USDC", { appFees: [{ fee: "100", recipient: attacker }] }),
      ];
      for (const [index, request] of requests.entries()) {
        const quote = await getQuote(fixture.client, request);
        const found = await findQuoteMismatches({ chains, quote, request });
        expect(found, `request ${index}`).to.deep.equal([]);
      }
    });

    it("passes with permissions that are signed: ERC-3009, ERC-2612 and Permit2", async () => {
      const kinds = new Set<string>();
      for (const from of ["USDC", "USDT", "WETH"] as const) {
        const request = requestOf(fixture, from, "USDC", { permitExpiry: 600, usePermit: true });
        const quote = await getQuote(fixture.client, request);
        expect(await findQuoteMismatches({ chains, quote, request }), from).to.deep.equal([]);
        kinds.add(signatureOf(quote).sign.primaryType);
      }
      const restore = await takeAuthorizations(fixture.alpha);
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const quote = await getQuote(fixture.client, request);
      expect(await findQuoteMismatches({ chains, quote, request })).to.deep.equal([]);
      kinds.add(signatureOf(quote).sign.primaryType);
      expect([...kinds]).to.have.members([
        "PermitBatchWitnessTransferFrom",
        "Permit",
        "ReceiveWithAuthorization",
      ]);

      const changes: readonly [string, string, unknown][] = [
        ["QUOTE_SPENDER", "spender", attacker],
        ["QUOTE_AMOUNT", "value", "99999999999"],
        ["QUOTE_SENDER", "owner", attacker],
        ["QUOTE_DEADLINE", "deadline", "1"],
        ["QUOTE_SIGNATURE", "unsigned", "1"],
      ];
      for (const [code, field, value] of changes) {
        const changed = structuredClone(quote);
        signatureOf(changed).sign.value[field] = value;
        const found = await findQuoteMismatches({ chains, quote: changed, request });
        expect(
          found.map((mismatch) => mismatch.code),
          field,
        ).to.include(code);
      }
      for (const [code, domain] of [
        ["QUOTE_CHAIN", { chainId: 1 }],
        ["QUOTE_SIGNATURE", { verifyingContract: attacker }],
      ] as const) {
        const changed = structuredClone(quote);
        Object.assign(signatureOf(changed).sign.domain, domain);
        const found = await findQuoteMismatches({ chains, quote: changed, request });
        expect(found.map((mismatch) => mismatch.code)).to.include(code);
      }
      await restore();
    });

    it("passes through the older router", async () => {
      const older = await startFixture({ routerVersion: "v2.1" });
      try {
        const own = (await getChains(older.client)).chains;
        for (const [from, to, sameChain] of [
          ["WETH", "USDC", false],
          ["ETH", "USDC", true],
          ["USDC", "WETH", true],
        ] as const) {
          const { alpha, beta } = older;
          const request = {
            ...requestOf(fixture, from, to, { sameChain }),
            destinationCurrency: (sameChain ? alpha : beta).currency(to),
            originCurrency: alpha.currency(from),
          };
          const quote = await getQuote(older.client, request);
          const found = await findQuoteMismatches({ chains: own, quote, request });
          expect(found, `${from} ${to}`).to.deep.equal([]);
        }
      } finally {
        await older.stop();
      }
    });
  });

  it("refuses a quote for something else than what was asked for, in every parameter", async () => {
    const request = requestOf(fixture, "USDC", "ETH", { ttl: 600 });
    const quote = await getQuote(fixture.client, request);
    const { alpha, beta } = fixture;
    const others: readonly [Partial<GetQuoteParameters>, string][] = [
      [{ amount: 50_000_004n }, "QUOTE_AMOUNT"],
      [{ destinationChainId: 1 }, "QUOTE_CHAIN"],
      [{ destinationCurrency: beta.currency("WETH") }, "QUOTE_CURRENCY"],
      [{ originChainId: beta.info.id }, "QUOTE_CHAIN"],
      [{ originCurrency: alpha.currency("USDT") }, "QUOTE_CURRENCY"],
      [{ recipient: attacker }, "QUOTE_RECIPIENT"],
      [{ refundTo: attacker }, "QUOTE_REFUND"],
      [{ slippageTolerance: "0" }, "QUOTE_OUTPUT"],
      [{ ttl: 1 }, "QUOTE_DEADLINE"],
      [{ txs: [{ data: "0x", to: recipient, value: 1n }] }, "QUOTE_CALLS"],
      [{ user: attacker }, "QUOTE_SENDER"],
    ];
    for (const [change, code] of others) {
      const found = await findQuoteMismatches({ chains, quote, request: { ...request, ...change } });
      const codes = found.map((mismatch) => mismatch.code as string);
      expect(codes, JSON.stringify(Object.keys(change))).to.include(code);
    }
  });

  it("keeps to limits of the caller, and to contracts that the caller names", async () => {
    const request = requestOf(fixture, "USDC", "USDC", { amount: parseUnits("50", 6) });
    const quote = await getQuote(fixture.client, request);
    const codesOf = async (more: object) =>
      (await findQuoteMismatches({ quote, request, ...more })).map(({ code }) => code);
    const { depository } = fixture.alpha.info.contracts;
    expect(await codesOf({ contracts: [depository] })).to.deep.equal([]);
    expect(await codesOf({})).to.deep.equal(["QUOTE_TARGET"]);
    expect(await codesOf({ contracts: [attacker] })).to.include.members(["QUOTE_TARGET", "QUOTE_SPENDER"]);
    expect(await codesOf({ contracts: [depository], solvers: [attacker] })).to.deep.equal(["QUOTE_SOLVER"]);
    expect(await codesOf({ contracts: [depository], maximumInput: 1n })).to.deep.equal(["QUOTE_AMOUNT"]);
    expect(await codesOf({ contracts: [depository], minimumOutput: 10n ** 9n })).to.include("QUOTE_OUTPUT");
    expect(await codesOf({ contracts: [depository], now: Date.now() + 10 ** 10 })).to.deep.equal([
      "QUOTE_DEADLINE",
    ]);
  });

  it("finds what contradicts itself, even when nobody says what was asked for", async () => {
    const original = await getQuote(fixture.client, requestOf(fixture, "USDC", "USDC"));
    const codesOf = async (change: (quote: Quote) => void) => {
      const quote = structuredClone(original);
      change(quote);
      const error = await failureOf(execute(fixture.client, { quote, wallet: fixture.alpha.wallet(0) }));
      expect(error).to.be.instanceOf(QuoteMismatchError);
      return (error as QuoteMismatchError).mismatches.map(({ code }) => code);
    };
    expect(
      await codesOf((quote) => replaceWord(paymentOf(quote), orderOf(quote).protocol.orderId, strayId)),
    ).to.deep.equal(["QUOTE_ORDER_ID"]);
    expect(
      await codesOf((quote) => {
        orderOf(quote).payment.recipient = attacker;
      }),
    ).to.include.members(["QUOTE_ORDER_ID", "QUOTE_RECIPIENT"]);
    expect(
      await codesOf((quote) => {
        paymentOf(quote).to = attacker;
      }),
    ).to.deep.equal(["QUOTE_TARGET"]);
  });

  it("is made by execute, unless it is turned off", async () => {
    const request = requestOf(fixture, "ETH", "ETH", { recipient });
    const [quote, other] = await Promise.all([
      getQuote(fixture.client, request),
      getQuote(fixture.client, { ...request, recipient: attacker }),
    ]);
    const parameters = {
      publicClient: fixture.alpha.reader,
      request,
      timeout: 20_000,
      wallet: fixture.alpha.wallet(0),
    };
    const before = await fixture.beta.balanceOf(zeroAddress, attacker);
    const error = await failureOf(execute(fixture.client, { ...parameters, quote: other }));
    expect(error).to.be.instanceOf(QuoteMismatchError);
    expect(error).to.include({ actual: attacker, code: "QUOTE_RECIPIENT", path: "details.recipient" });
    expect(error).to.have.property("expected", recipient);
    expect((await execute(fixture.client, { ...parameters, quote })).status).to.equal("success");
    expect(await fixture.beta.balanceOf(zeroAddress, attacker)).to.equal(before);
    const unproven = await execute(fixture.client, { ...parameters, quote: other, verify: false });
    expect(unproven.status).to.equal("success");
  });
});
