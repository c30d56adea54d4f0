import { expect } from "chai";
import fc from "fast-check";
import * as z from "zod";
import { compileSchema } from "../../../../../emulator/http/route/Route.ts";
import { quoteRequestSchema } from "../../../../../src/schema/quote/quoteRequest.ts";

const zero = `0x${"00".repeat(20)}`;
const valid = {
  amount: "1",
  appFees: [{ fee: "10", recipient: zero }],
  destinationChainId: 31338,
  destinationCurrency: zero,
  originChainId: 31337,
  originCurrency: zero,
  tradeType: "EXACT_INPUT",
  txs: [{ data: "0x", to: zero, value: "1" }],
  unknown: { kept: true },
  user: zero,
};

/** Outcome of a parse as a caller sees it. */
function outcomeOf(schema: z.core.$ZodType, value: unknown) {
  const { data, error, success } = z.safeParse(schema, value);
  return success ? { json: JSON.stringify(data) } : { issues: error.issues };
}

describe("compileSchema", () => {
  const compiled = compileSchema(quoteRequestSchema);

  it("a valid quote request: is read as by the schema, with unknown fields and the order of fields", () => {
    expect(compiled).not.to.equal(quoteRequestSchema);
    expect(outcomeOf(compiled, valid)).to.deep.equal(outcomeOf(quoteRequestSchema, valid));
    expect(outcomeOf(compiled, valid)).to.have.property("json");
  });

  it("random changes of a quote request: are refused with the same issues in the same order", () => {
    const names = Object.keys(quoteRequestSchema.def.shape);
    const oddValue = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant("-1"), fc.constant(zero));
    const changes = fc.dictionary(fc.constantFrom(...names, "__proto__", "toString"), oddValue, {
      maxKeys: 6,
    });
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(changes, fc.jsonValue()), (change) => {
        const isChange = typeof change === "object" && change !== null && !Array.isArray(change);
        for (const value of [change, ...(isChange ? [{ ...valid, ...change }] : [])]) {
          const outcome = outcomeOf(quoteRequestSchema, value);
          expect(outcomeOf(compiled, value)).to.deep.equal(outcome);
          if ("issues" in outcome) refused++;
        }
      }),
      { numRuns: 500 },
    );
    expect(refused).to.be.greaterThan(100);
  });

  it("an object with a rule of its own, a text and a union: are checked as by the schema", () => {
    const ordered = z.object({ a: z.number(), b: z.number() }).refine(({ a, b }) => a < b, "a is not less");
    expect(outcomeOf(compileSchema(ordered), { a: 2, b: 1 })).to.deep.equal(
      outcomeOf(ordered, { a: 2, b: 1 }),
    );
    const text = z.string();
    expect(compileSchema(text)).to.equal(text);
    const union = z.union([z.object({ a: z.number() }), z.string()]);
    expect(compileSchema(union)).to.equal(union);
  });
});
