import { expect } from "chai";
import fc from "fast-check";
import { type ProveQuoteParameters, proveQuote, type QuoteMismatch } from "../../../src/prove/index.ts";
import { nearly } from "../../helpers/invalidArguments.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { bridgeQuote, depositStep, intent, token, user } from "../client/support/samples.ts";

const quote = bridgeQuote([{ ...depositStep() }]);
const request = { ...intent, amount: "10000000000000000" };
const policy = { minimumOutput: "9000000000000000", trust: { chains: [], solvers: [user] } } as const;

async function differencesOf(given: Partial<ProveQuoteParameters>): Promise<readonly QuoteMismatch[]> {
  const result = await proveQuote({ policy, quote, request, ...given });
  if (result.proven) throw new Error("the quote was proven");
  return result.differences;
}

describe("proveQuote", () => {
  it("gives each difference a code, a path and both values", async () => {
    const [unknown] = (await differencesOf({})).filter(({ code }) => code === "QUOTE_UNKNOWN_CHAIN");
    expect(unknown).to.deep.equal({
      actual: "31337",
      code: "QUOTE_UNKNOWN_CHAIN",
      expected: "one of `trust` ()",
      path: "details.currencyIn.currency.chainId",
    });
  });

  it("finds the same in the text of a quote, in its value, and with amounts of both types", async () => {
    const found = await differencesOf({});
    expect(await differencesOf({ quote: JSON.stringify(quote) })).to.deep.equal(found);
    const exact = { ...policy, minimumOutput: BigInt(policy.minimumOutput) };
    const asked = { ...request, amount: BigInt(request.amount) };
    expect(await differencesOf({ policy: exact, request: asked })).to.deep.equal(found);
  });

  it("a quote with malformed fees, which nobody signs: has no further differences", async () => {
    const fees = { gas: "unreadable" };
    expect(await differencesOf({ quote: { ...quote, fees } })).to.deep.equal(await differencesOf({}));
  });

  it("applies a bound that is a decimal string", async () => {
    const least = "99999999999999999999";
    const found = await differencesOf({ policy: { ...policy, minimumOutput: least } });
    const output = found.find(({ code }) => code === "QUOTE_OUTPUT");
    expect(output).to.have.property("expected").that.includes(least);
  });

  const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
  const cyclic: Record<string, unknown> = { ...quote };
  cyclic["self"] = cyclic;
  const noQuotes: readonly (readonly [title: string, quote: unknown, expected: string])[] = [
    ["no value", undefined, "JSON"],
    ["text that is no JSON", "<html></html>", "JSON"],
    ["a bigint", 5n, "JSON"],
    ["a value that contains itself", cyclic, "JSON"],
    ["two hundred levels", deep, "more than 100 levels"],
    ["a text of two megabytes", JSON.stringify({ text: "x".repeat(2e6) }), "more than 1000000 characters"],
    ["an answer with an error", { errorCode: "NO_QUOTES", message: "No quotes" }, "expected array"],
    ["null", null, "expected object"],
    ["a list", [quote], "expected object"],
    [
      "an object that throws",
      Object.defineProperty({}, "steps", {
        enumerable: true,
        get: () => {
          throw new TypeError("no");
        },
      }),
      "JSON",
    ],
  ];
  for (const [title, given, expected] of noQuotes) {
    it(`${title} in place of a quote: QUOTE_FORM, and no error`, async () => {
      const [difference, ...others] = await differencesOf({ quote: given });
      expect(others).to.deep.equal([]);
      expect(difference).to.include({ code: "QUOTE_FORM" });
      expect(difference?.expected).to.include(expected);
    });
  }

  it("cuts what a hostile quote writes, and lists a hundred differences at most", async () => {
    const long = { ...quote, details: { ...quote.details, recipient: "x".repeat(90_000) } };
    for (const { actual, expected, path } of await differencesOf({ quote: long })) {
      expect(Math.max(actual.length, expected.length, path.length)).to.be.lessThan(302);
    }
    const steps = Array.from({ length: 200 }, () => depositStep());
    expect(await differencesOf({ quote: { ...quote, steps } })).to.have.length.within(2, 100);
  });

  it("reads a quote with the fields of a difference as a quote", async () => {
    const found = await differencesOf({});
    expect(
      await differencesOf({ quote: { ...quote, code: "QUOTE_FORM", mismatch: {}, quote: 1 } }),
    ).to.deep.equal(found);
  });

  it("returns for whatever a service makes of a quote", async () => {
    await fc.assert(
      fc.asyncProperty(nearly(quote), async (bent) => {
        const { proven } = await proveQuote({ policy, quote: bent, request });
        expect(proven).to.equal(false);
      }),
      { numRuns: 300, seed: 1 },
    );
  }).timeout(20_000);

  const mistakes: readonly (readonly [title: string, parameter: string, given: object])[] = [
    ["no request", "request", { request: undefined }],
    ["a request without a user", "request.user", { request: { ...request, user: undefined } }],
    ["a misspelt bound", "policy.minimumOutpt", { policy: { minimumOutpt: "1" } }],
    ["a bound with places", "policy.minimumOutput", { policy: { minimumOutput: "0.5" } }],
    ["a bound that is a number", "minimumOutput", { policy: { minimumOutput: 5 } }],
    ["a policy that is a list", "policy", { policy: [] }],
    ["trust without chains", "trust.chains", { policy: { trust: { solvers: [token] } } }],
  ];
  for (const [title, parameter, given] of mistakes) {
    it(`${title}: throws with the name of the parameter`, async () => {
      const error = await rejectionOf(proveQuote({ policy, quote, request, ...given } as never));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
    });
  }
});
