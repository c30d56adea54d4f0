import { expect } from "chai";
import fc from "fast-check";
import { fromJSONSchema } from "zod";
import * as z from "zod/mini";
import { nameSchemas, toJsonSchema } from "../../../../../emulator/http/openapi/nameSchemas.ts";
import { quoteRequestSchema } from "../../../../../src/schema/quote/quoteRequest.ts";
import { absentSchema } from "../../../../../src/schema/wire/absent.ts";
import { bridgeQuote } from "../../../client/support/samples.ts";
import { everySchema } from "../../../schema/support/everySchema.ts";

describe("nameSchemas", () => {
  it("every wire schema as JSON Schema: accepts whatever the wire schema accepts", async () => {
    const schemas = await everySchema();
    expect(schemas.length).to.be.greaterThan(90);
    const values = [
      bridgeQuote(),
      ...bridgeQuote().steps,
      ...fc.sample(fc.jsonValue(), { numRuns: 40, seed: 1 }),
    ];
    for (const { name, schema } of schemas) {
      const json = fromJSONSchema(toJsonSchema(schema, "input"));
      for (const value of ["", "0x", "success", "1", 1, true, null, {}, [], ...values]) {
        if (!z.safeParse(schema, value).success) continue;
        expect(json.safeParse(value).success, `${name} of ${JSON.stringify(value)}`).to.equal(true);
      }
    }
  }).timeout(20_000);

  it("bounds and absent fields: are kept", () => {
    const json = JSON.stringify(toJsonSchema(quoteRequestSchema, "input"));
    expect(json)
      .to.include('"tradeType":{"type":"string","enum":["EXACT_INPUT"')
      .and.include('"maxItems":256');
    const { properties } = toJsonSchema(z.object({ gone: absentSchema }), "input");
    expect(properties).to.deep.equal({ gone: { not: {} } });
  });

  it("a schema named twice: keeps its first name, and others refer to it", () => {
    const [inner, names] = [z.object({ a: z.string() }), nameSchemas()];
    names.add("Inner", inner);
    names.add("Other", inner);
    names.add("Outer", z.object({ inner: z.optional(inner) }));
    expect(names.ref(inner)).to.deep.equal({ $ref: "#/components/schemas/Inner" });
    expect(names.toComponents()).to.deep.equal({
      Inner: {
        properties: { a: { type: "string" } },
        required: ["a"],
        type: "object",
      },
      Outer: { properties: { inner: { $ref: "#/components/schemas/Inner" } }, type: "object" },
    });
    expect(() => names.ref(z.string())).to.throw("without a name");
  });
});
