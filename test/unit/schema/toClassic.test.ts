import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { expect } from "chai";
import fc from "fast-check";
import * as mini from "zod/mini";
import { chainsResponseSchema } from "../../../src/schema/chain.ts";
import { currencySchema } from "../../../src/schema/currency.ts";
import { quoteSchema } from "../../../src/schema/quote.ts";
import { quoteRequestSchema } from "../../../src/schema/quoteRequest.ts";
import { requestsV3QuerySchema } from "../../../src/schema/requestsV3Query.ts";
import { requestsPageSchema } from "../../../src/schema/requestV3.ts";
import { toClassic } from "../../../src/schema/toClassic.ts";
import { bridgeQuote } from "../client/support/samples.ts";
import { everySchema } from "./support/everySchema.ts";

describe("toClassic", () => {
  it("turns every schema of the wire into one that passes and refuses the same", async () => {
    const schemas = await everySchema();
    expect(schemas.length).to.be.greaterThan(90);
    for (const { name, schema } of schemas) {
      const classic: z.ZodType = toClassic(schema);
      expect(classic, name).to.have.property("meta");
      for (const value of [
        undefined,
        null,
        {},
        [],
        "",
        "0x",
        "success",
        1,
        true,
        ...fc.sample(fc.jsonValue(), 20),
      ]) {
        const [own, other] = [mini.safeParse(schema, value), classic.safeParse(value)];
        expect(other.success, name).to.equal(own.success);
        expect(other.data, name).to.deep.equal(own.data);
      }
    }
  });

  it("keeps values as they are, unknown fields included", () => {
    const quote = { ...bridgeQuote(), brandNew: { a: 1 } };
    expect(toClassic(quoteSchema).parse(quote)).to.deep.equal(quote);
  });

  it("gives the same schema for the same schema, as a part of another one too", () => {
    expect(toClassic(currencySchema)).to.equal(toClassic(currencySchema));
    const whole = toClassic(mini.object({ currency: currencySchema }));
    expect(whole.shape.currency).to.equal(toClassic(currencySchema));
  });

  it("refuses a kind of schema that the wire does not have", () => {
    expect(() => toClassic(mini.date())).to.throw(TypeError, "type date");
  });

  it("feeds an OpenAPI document with names, types and bounds", () => {
    const app = new OpenAPIHono();
    app.openAPIRegistry.registerPath(
      createRoute({
        method: "get",
        path: "/requests/v3",
        request: { query: toClassic(requestsV3QuerySchema) },
        responses: {
          200: {
            content: {
              "application/json": { schema: toClassic(requestsPageSchema).openapi("RequestsPage") },
            },
            description: "A page",
          },
        },
      }),
    );
    app.openAPIRegistry.registerPath(
      createRoute({
        method: "post",
        path: "/quote/v2",
        request: { body: { content: { "application/json": { schema: toClassic(quoteRequestSchema) } } } },
        responses: {
          200: {
            content: { "application/json": { schema: toClassic(chainsResponseSchema) } },
            description: "The chains",
          },
        },
      }),
    );
    const document = app.getOpenAPI31Document({ info: { title: "x", version: "1" }, openapi: "3.1.0" });
    const parameters = document.paths?.["/requests/v3"]?.get?.parameters ?? [];
    expect(parameters.map((parameter) => "name" in parameter && parameter.name)).to.include.members([
      "limit",
      "continuation",
      "filters",
      "amountUsdMin",
    ]);
    expect(document.components?.schemas).to.have.property("RequestsPage");
    const text = JSON.stringify(document.paths?.["/quote/v2"]);
    expect(text)
      .to.include('"tradeType":{"type":"string","enum":["EXACT_INPUT"')
      .and.include('"maxItems":256');
  });

  it("validates a route's body with the types of the schema", async () => {
    const app = new OpenAPIHono();
    const route = createRoute({
      method: "post",
      path: "/echo",
      request: { body: { content: { "application/json": { schema: toClassic(currencySchema) } } } },
      responses: {
        200: {
          content: { "application/json": { schema: z.object({ symbol: z.string() }) } },
          description: "",
        },
      },
    });
    app.openapi(route, (http) => http.json({ symbol: http.req.valid("json").symbol }, 200));
    const post = (body: unknown) =>
      app.request("/echo", {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
        method: "POST",
      });
    const ether = { address: "0x00", chainId: 1, decimals: 18, name: "Ether", symbol: "ETH" };
    expect(await (await post(ether)).json()).to.deep.equal({ symbol: "ETH" });
    expect((await post({ ...ether, chainId: 0 })).status).to.equal(400);
  });
});
