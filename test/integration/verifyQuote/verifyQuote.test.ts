import { expect } from "chai";
import { getAddress, keccak256, parseEther, parseUnits, recoverAddress, zeroAddress } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { calls } from "../../../src/calls/calls.ts";
import { quoteSimulator } from "../../../src/calls/quoteSimulator.ts";
import type { PriceQuestion } from "../../../src/calls/verify/VerifyQuoteParameters.ts";
import { findQuoteMismatches, verifyQuote } from "../../../src/calls/verifyQuote.ts";
import { type GetQuoteParameters, getQuote, type Quote } from "../../../src/client/index.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import { execute } from "../../../src/execute/index.ts";
import { startFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { recipient, symbols } from "../../helpers/quotes/intents.ts";
import { signatureOf, takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { attacker, policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";

/** Microseconds of the processor: the clock also counts what other processes use. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { system, user } = process.cpuUsage(start);
  return system + user;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

describe("verifyQuote", () => {
  const fixture = useEmulator();

  describe("every kind of quote of the service", () => {
    const tradeTypes = ["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const;
    for (const sameChain of [false, true]) {
      for (const tradeType of tradeTypes) {
        it(`quotes between all currencies pass, ${sameChain ? "on one chain" : "across chains"}, ${tradeType}`, async () => {
          for (const from of symbols) {
            for (const to of symbols) {
              // On one chain, USDC and USDT have no pool of their own with each other.
              const request = requestOf(fixture, from, to, {
                sameChain,
                slippageTolerance: "150",
                tradeType,
              });
              const quote = await getQuote(fixture.client, request);
              const policy = { ...policyOf(fixture, quote), reader: fixture.alpha.reader };
              const found = await findQuoteMismatches({ ...policy, quote, request });
              expect(found, `${from} ${to}`).to.deep.equal([]);
            }
          }
        }).timeout(60_000);
      }
    }

    it("accepts a gas top-up that the request asks for, and rejects any other", async () => {
      const asked = { ...requestOf(fixture, "USDC", "USDC"), topupGas: true };
      const quote = await getQuote(fixture.client, asked);
      const find = (change: Partial<Quote["details"]>, request: typeof asked) =>
        findQuoteMismatches({
          ...policyOf(fixture, quote),
          quote: { ...quote, details: { ...quote.details, ...change } },
          request,
        }).then((found) => found.map(({ code, path }) => `${code} ${path}`));
      const path = "details.currencyGasTopup";
      const topup = quote.details.currencyGasTopup as Quote["details"]["currencyIn"];
      expect(await find({}, asked)).to.deep.equal([]);
      expect(await find({}, { ...asked, topupGas: false })).to.deep.equal([`QUOTE_AMOUNT ${path}.amount`]);
      const none = { currencyGasTopup: { ...topup, amount: "0" } };
      expect(await find(none, asked)).to.deep.equal([`QUOTE_AMOUNT ${path}.amount`]);
      expect(await find(none, { ...asked, topupGas: false })).to.deep.equal([]);
      const { currencyIn } = quote.details;
      expect(await find({ currencyGasTopup: currencyIn }, asked)).to.deep.equal([
        `QUOTE_CURRENCY ${path}.currency.address`,
        `QUOTE_CHAIN ${path}.currency.chainId`,
        `QUOTE_DISPLAY ${path}.currency.decimals`,
      ]);
      expect(await find({ currencyGasTopup: { ...topup, amountFormatted: "0.0009" } }, asked)).to.deep.equal([
        `QUOTE_DISPLAY ${path}.amountFormatted`,
      ]);
    });

    it("rejects a currency that the request names by its id, on either side, and asks for the address", async () => {
      const { alpha, beta, client } = fixture;
      const asked = requestOf(fixture, "USDC", "USDC");
      for (const [side, chainId] of [
        ["originCurrency", alpha.info.id],
        ["destinationCurrency", beta.info.id],
      ] as const) {
        const request = { ...asked, [side]: "usdc" };
        const quote = await getQuote(client, request);
        const policy = policyOf(fixture, quote);
        const wallet = alpha.wallet(0);
        for (const proving of [
          () => verifyQuote({ ...policy, quote, request }),
          () => execute(client, { quote, request, verify: policy, wallet }),
        ]) {
          const error = await failureOf(proving());
          expect(error).to.include({ code: "INVALID_PARAMETER", parameter: `request.${side}` });
          expect(error).to.have.property("shortMessage").which.includes(`address on chain ${chainId}`);
        }
        expect(await findQuoteMismatches({ ...policy, quote, request: asked })).to.deep.equal([]);
      }
    });

    it("quotes with calls, with a time limit, with another refund address, and for the user's own account pass", async () => {
      const { alpha, beta } = fixture;
      const router = beta.info.contracts.v3.erc20Router;
      const value = parseEther("0.01");
      const { txs } = calls({ router }).add({ data: "0x", to: recipient, value }).sweepNative({ recipient });
      const transfer = erc20Data("transfer", recipient, 7n);
      const own = alpha.info.contracts.v3.erc20Router;
      const usdc = alpha.currency("USDC");
      const ownTxs = calls({ router: own })
        .add({ data: transfer, to: usdc, value: 0n })
        .sweepErc20s({ recipient, tokens: [usdc] });
      const requests = [
        requestOf(fixture, "ETH", "ETH", { txs }),
        requestOf(fixture, "USDC", "ETH", { amount: value, tradeType: "EXACT_OUTPUT", txs }),
        requestOf(fixture, "ETH", "USDC", { sameChain: true, txs: ownTxs.txs }),
        requestOf(fixture, "USDC", "USDT", { refundTo: attacker, ttl: 600 }),
        requestOf(fixture, "WETH", "USDC", { recipient: undefined }),
        requestOf(fixture, "ETH", "WETH", { recipient: undefined, sameChain: true }),
        requestOf(fixture, "WETH", "ETH", { recipient: undefined, sameChain: true }),
        requestOf(fixture, "USDC", "USDC", { appFees: [{ fee: "100", recipient: attacker }] }),
      ];
      for (const [index, request] of requests.entries()) {
        const quote = await getQuote(fixture.client, request);
        const found = await findQuoteMismatches({ ...policyOf(fixture, quote), quote, request });
        expect(found, `request ${index}`).to.deep.equal([]);
      }
    });

    it("quotes with signed permissions pass: ERC-3009, ERC-2612 and Permit2", async () => {
      const kinds = new Set<string>();
      for (const from of ["USDC", "USDT", "WETH"] as const) {
        const request = requestOf(fixture, from, "USDC", { permitExpiry: 600, usePermit: true });
        const quote = await getQuote(fixture.client, request);
        const policy = policyOf(fixture, quote);
        const found = await findQuoteMismatches({ ...policy, quote, request });
        // The Permit2 signature covers the calls, so that no guard can follow a swap.
        const codes = from === "USDT" ? ["QUOTE_UNGUARDED"] : [];
        expect(
          found.map(({ code }) => code),
          from,
        ).to.deep.equal(codes);
        const simulate = quoteSimulator(fixture.alpha.reader);
        const simulated = { ...policy, allowSimulatedOutput: true, simulate };
        expect(await findQuoteMismatches({ ...simulated, quote, request }), from).to.deep.equal([]);
        kinds.add(signatureOf(quote).sign.primaryType);
      }
      const restore = await takeAuthorizations(fixture.alpha);
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const quote = await getQuote(fixture.client, request);
      expect(await findQuoteMismatches({ ...policyOf(fixture, quote), quote, request })).to.deep.equal([]);
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
        const found = await findQuoteMismatches({ ...policyOf(fixture, quote), quote: changed, request });
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
        const found = await findQuoteMismatches({ ...policyOf(fixture, quote), quote: changed, request });
        expect(found.map((mismatch) => mismatch.code)).to.include(code);
      }
      await restore();
    });

    it("quotes through the older router pass", async () => {
      const older = await startFixture({ routerVersion: "v2.1" });
      try {
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
          const found = await findQuoteMismatches({ ...policyOf(older, quote), quote, request });
          expect(found, `${from} ${to}`).to.deep.equal([]);
        }
      } finally {
        await older.stop();
      }
    });
  });

  it("rejects a quote that differs from the request, in every parameter", async () => {
    const request = requestOf(fixture, "USDC", "ETH", { ttl: 600 });
    const quote = await getQuote(fixture.client, request);
    const { alpha, beta } = fixture;
    const others: readonly [Partial<GetQuoteParameters>, string][] = [
      [{ amount: 50_000_004n }, "QUOTE_AMOUNT"],
      [{ destinationChainId: 1 }, "QUOTE_UNKNOWN_CHAIN"],
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
      const found = await findQuoteMismatches({
        ...policyOf(fixture, quote),
        quote,
        request: { ...request, ...change },
      });
      const codes = found.map((mismatch) => mismatch.code as string);
      expect(codes, JSON.stringify(Object.keys(change))).to.include(code);
    }
  });

  it("a proof takes less than three recoveries of a signature, which is five milliseconds on a usual machine", async () => {
    const hash = keccak256("0x");
    const signature = await fixture.alpha.wallet(1).account.sign({ hash });
    for (const request of [
      requestOf(fixture, "USDT", "USDC"),
      requestOf(fixture, "ETH", "USDC", { sameChain: true }),
      requestOf(fixture, "USDC", "USDC", { usePermit: true }),
    ]) {
      const quote = await getQuote(fixture.client, request);
      const prove = () => findQuoteMismatches({ ...policyOf(fixture, quote), quote, request });
      const recover = () => recoverAddress({ hash, signature });
      // Coverage slows our functions down, but not those of packages.
      const limit = process.env["NODE_V8_COVERAGE"] === undefined ? 3 : 9;
      let ratio = Number.POSITIVE_INFINITY;
      // Repeated at most twice, because the first proofs are compiled.
      for (let round = 0; round < 3 && ratio >= limit; round++) {
        // In turns, so that a slow moment of the machine slows both.
        const times: { proof: number; recovery: number }[] = [];
        for (let run = 0; run < 40; run++) {
          times.push({ proof: await processorTime(prove), recovery: await processorTime(recover) });
        }
        ratio = median(times.map(({ proof }) => proof)) / median(times.map(({ recovery }) => recovery));
      }
      expect(ratio).to.be.lessThan(limit);
    }
  });

  it("applies the bounds and the trust roots of the caller", async () => {
    const request = requestOf(fixture, "USDC", "USDC", { amount: parseUnits("50", 6) });
    const quote = await getQuote(fixture.client, request);
    const trust = trustOfEmulator(fixture.emulator.info);
    const minimumOutput = BigInt(quote.details.currencyOut.minimumAmount ?? 0);
    const usual = { minimumOutput, trust };
    const codesOf = async (more: object) =>
      (await findQuoteMismatches({ quote, request, ...usual, ...more })).map(({ code }) => code);
    expect(await codesOf({})).to.deep.equal([]);
    expect(await codesOf({ minimumOutput: undefined })).to.deep.equal(["QUOTE_BOUNDS"]);
    expect(await codesOf({ bounds: "none", minimumOutput: undefined })).to.deep.equal([]);
    expect(await codesOf({ minimumOutput: minimumOutput + 1n })).to.include("QUOTE_OUTPUT");
    expect(await codesOf({ maximumInput: 1n })).to.deep.equal(["QUOTE_AMOUNT"]);
    expect(await codesOf({ now: Date.now() + 10 ** 10 })).to.include("QUOTE_DEADLINE");
    expect(await codesOf({ trust: { ...trust, solvers: [attacker] } })).to.deep.equal(["QUOTE_SOLVER"]);
    expect(await codesOf({ trust: undefined })).to.include.members(["QUOTE_UNKNOWN_CHAIN", "QUOTE_SOLVER"]);
    const refusal = async (more: object) => {
      const error = await failureOf(verifyQuote({ quote, request, ...usual, ...more }));
      return (error as QuoteMismatchError).metaMessages.join("\n");
    };
    const remedy = "An emulator needs `trust: trustOfEmulator(emulator.info)`";
    expect(await refusal({ trust: undefined })).to.include(remedy);
    expect(await refusal({ trust: { ...trust, solvers: [attacker] } })).to.include(remedy);
    expect(await refusal({ maximumInput: 1n })).to.not.include("trustOfEmulator");
    const without = (chain: object) => ({
      trust: { ...trust, chains: trust.chains.map((each) => ({ ...each, ...chain })) },
    });
    expect(await codesOf(without({ depository: attacker }))).to.include("QUOTE_TARGET");
    expect(await codesOf(without({ depository: undefined }))).to.deep.equal(["QUOTE_UNKNOWN_ROLE"]);
  });

  it("applies the caller's own price once, and allows the slippage of the request on top", async () => {
    const trust = trustOfEmulator(fixture.emulator.info);
    for (const [tradeType, factor, codes] of [
      ["EXACT_INPUT", 100n, []],
      ["EXACT_INPUT", 103n, ["QUOTE_OUTPUT"]],
      ["EXACT_OUTPUT", 100n, []],
      ["EXACT_OUTPUT", 97n, ["QUOTE_AMOUNT"]],
      ["EXPECTED_OUTPUT", 100n, []],
      ["EXPECTED_OUTPUT", 97n, ["QUOTE_AMOUNT"]],
    ] as const) {
      const request = requestOf(fixture, "WETH", "USDC", { slippageTolerance: "200", tradeType });
      const quote = await getQuote(fixture.client, request);
      const { currencyIn, currencyOut } = quote.details;
      const fair = BigInt(tradeType === "EXACT_INPUT" ? currencyOut.amount : currencyIn.amount);
      const asked: PriceQuestion[] = [];
      const price = (question: PriceQuestion) => {
        asked.push(question);
        return (fair * factor) / 100n;
      };
      const found = await findQuoteMismatches({ price, quote, request, trust });
      expect([...new Set(found.map(({ code }) => code))], `${tradeType} ${factor}`).to.deep.equal(codes);
      expect(asked).to.have.length(1);
      expect(asked[0]).to.include({ side: tradeType === "EXACT_INPUT" ? "output" : "input", tradeType });
    }
  });

  it("P11: rejects a proof without a request, which could prove nothing", async () => {
    const quote = await getQuote(fixture.client, requestOf(fixture, "USDC", "USDC"));
    const error = await failureOf(verifyQuote({ ...policyOf(fixture, quote), quote } as never));
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "request" });
  });

  it("execute verifies the quote, unless that is turned off", async () => {
    const request = requestOf(fixture, "ETH", "ETH", { recipient });
    const [quote, other] = await Promise.all([
      getQuote(fixture.client, request),
      getQuote(fixture.client, { ...request, recipient: attacker }),
    ]);
    const parameters = {
      publicClient: fixture.alpha.reader,
      request,
      timeout: 20_000,
      verify: policyOf(fixture, quote),
      wallet: fixture.alpha.wallet(0),
    };
    const before = await fixture.beta.balanceOf(zeroAddress, attacker);
    const error = await failureOf(execute(fixture.client, { ...parameters, quote: other }));
    expect(error).to.be.instanceOf(QuoteMismatchError);
    expect(error).to.include({ actual: attacker, code: "QUOTE_RECIPIENT", path: "details.recipient" });
    expect(error).to.have.property("expected", getAddress(recipient));
    expect((await execute(fixture.client, { ...parameters, quote })).status).to.equal("success");
    expect(await fixture.beta.balanceOf(zeroAddress, attacker)).to.equal(before);
    const unproven = await execute(fixture.client, { ...parameters, quote: other, verify: false });
    expect(unproven.status).to.equal("success");
    const { request: _, ...blind } = parameters;
    expect(await failureOf(execute(fixture.client, { ...blind, quote }))).to.include({
      parameter: "request",
    });
  });
});
