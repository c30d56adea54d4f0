import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "chai";
import { createApp } from "../../../../emulator/http/createApp.ts";
import { root } from "../../../../scripts/checks/runTool.ts";
import { OPENAPI_FILE } from "../../../../scripts/generate/openapi.ts";
import { describeProperties } from "../../../../scripts/openapi/describeProperties.ts";
import { addExamples } from "../../../../scripts/openapi/examples.ts";
import { idleDeps } from "../../../../scripts/openapi/idleDeps.ts";
import type { OpenApiDocument } from "../../../../scripts/openapi/OpenApiDocument.ts";
import { requestsV2QuerySchema } from "../../../../src/schema/request/query/requestsV2Query.ts";
import { requestsV3QuerySchema } from "../../../../src/schema/request/query/requestsV3Query.ts";
import { ajvWitness } from "../../../helpers/openapi/ajvWitness.ts";
import { bridgeQuote } from "../../client/support/samples.ts";

const document = JSON.parse(readFileSync(join(root, OPENAPI_FILE), "utf8")) as OpenApiDocument;

describe("the document of the API", () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, operation, path })),
  );

  it("fits the published schema of OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(JSON.stringify(document)))).to.include({ valid: true });
    expect(validator.version).to.equal("3.1");
  }).timeout(60_000);

  it("paths: are the served routes and no others", () => {
    const served = createApp(idleDeps)
      .routes.filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect([...new Set(served)].sort()).to.deep.equal(described.sort());
    expect(described.length).to.be.greaterThan(50);
  });

  it("each operation: has its own id, a summary, an explained tag, and the parameters of its path", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    const names = document.tags.map(({ name }) => name);
    for (const { operation, path } of operations) {
      expect(operation.operationId).to.match(/^[a-z]\w*$/i);
      expect(names).to.include.members([...operation.tags]);
      const declared = (operation.parameters ?? []).filter((one) => one.in === "path");
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(declared.map(({ name }) => name).sort(), path).to.deep.equal(inPath.sort());
    }
    expect(new Set(operations.flatMap(({ operation }) => operation.tags)).size).to.equal(names.length);
  });

  it("schema of quotes: accepts a quote and rejects wrong steps and fees", () => {
    const judge = ajvWitness(document);
    const faults = (quote: object) => judge({ $ref: "#/components/schemas/Quote" }, quote);
    expect(faults(bridgeQuote())).to.deep.equal([]);
    expect(faults({ ...bridgeQuote(), steps: "none" })).to.not.deep.equal([]);
    expect(faults({ ...bridgeQuote(), fees: { gas: { amount: 1 } } })).to.not.deep.equal([]);
  }).timeout(20_000);

  it("every example of a body, parameter and answer fits its schema", () => {
    const judge = ajvWitness(document);
    const shown = operations.flatMap(
      ({ operation: { operationId, parameters = [], requestBody, responses } }) =>
        [
          ...[requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {})),
          ...parameters.map(({ content, example, schema }) => ({
            ...content?.["application/json"],
            ...(schema && { example: example ?? schema.examples?.[0], schema }),
          })),
        ].map((one) => ({ ...one, operationId })),
    );
    const examples = shown.filter(({ example }) => example !== undefined);
    expect(examples.length).to.be.greaterThan(600);
    for (const { example, operationId, schema = {} } of examples)
      expect(judge(schema, example), `${operationId} ${JSON.stringify(example)}`).to.deep.equal([]);
  }).timeout(60_000);

  it("parameters of the listings: have the types that their text is read as", () => {
    const parametersOf = (path: string) => document.paths[path]?.get?.parameters ?? [];
    const namesOf = (path: string) => parametersOf(path).map(({ name }) => name);
    expect(namesOf("/requests/v3")).to.have.members(Object.keys(requestsV3QuerySchema.shape));
    expect(namesOf("/requests/v2")).to.have.members(Object.keys(requestsV2QuerySchema.shape));
    const byName = new Map(parametersOf("/requests/v3").map((one) => [one.name, one]));
    expect(byName.get("limit")).to.deep.include({
      required: false,
      schema: { default: 20, examples: [1], maximum: 50, minimum: 1, type: "integer" },
    });
    expect(byName.get("includeTotal")?.schema).to.deep.equal({ examples: [true], type: "boolean" });
    expect(byName.get("amountUsdMin")?.schema).to.deep.equal({ examples: [1], minimum: 0, type: "number" });
    expect(byName.get("features")).to.deep.include({ explode: false, style: "form" });
    const groups = byName.get("filters")?.content?.["application/json"]?.schema;
    expect(JSON.stringify(groups)).to.include('"not:status"');
    expect(parametersOf("/intents/status/v3")[0]).to.deep.include({
      in: "query",
      name: "requestId",
      required: true,
      schema: { maxLength: 512, minLength: 1, type: "string" },
    });
  });

  it("security: an admin key below /admin, an API key for the listing, calls and fast fills, an optional one elsewhere", () => {
    for (const { operation, path } of operations) {
      const expected = path.startsWith("/admin/")
        ? [{ adminKey: [] }]
        : ["/execute", "/fast-fill", "/requests/v3"].includes(path)
          ? [{ apiKey: [] }]
          : [{}, { apiKey: [] }];
      expect(operation.security, path).to.deep.equal(expected);
      expect(["Control", "Webhooks", "History"].includes(operation.tags[0]), path).to.equal(
        path.startsWith("/admin/"),
      );
    }
  });

  it("rate limits are described; the retired listing and the signed records are deprecated with their headers", () => {
    const limitOf = (path: string, method: string) =>
      document.paths[path]?.[method]?.responses["429"]?.description;
    expect(limitOf("/quote/v2", "post")).to.include("Over the rate limit");
    const retiring = document.paths["/requests/v2"]?.get;
    expect(retiring?.deprecated).to.equal(true);
    for (const answer of Object.values(retiring?.responses ?? {})) {
      expect(answer.headers).to.have.all.keys("Deprecation", "Link", "Sunset");
    }
    const deprecated = operations.filter(({ operation }) => operation.deprecated);
    expect(deprecated.map(({ path }) => path)).to.have.members([
      ...["/requests", "/requests/v2"],
      ...["/requests/{requestId}/signature", "/requests/{requestId}/signature/v2"],
    ]);
  });
});

describe("what the document's generator reports", () => {
  const schemas = { Amount: { properties: { amount: { type: "string" }, unit: { type: "string" } } } };

  it("a property without docstring and entry, and an entry without a property", () => {
    const { document, problems } = describeProperties(
      { components: { schemas } },
      { amount: "An amount.", other: "Unused." },
      () => undefined,
    );
    expect(document.components.schemas.Amount.properties.amount).to.include({ description: "An amount." });
    expect(problems).to.deep.equal([
      "Amount.unit has neither a docstring nor an entry in the glossary",
      "other of the glossary describes no property",
    ]);
  });

  it("the most specific entry of the glossary describes a property, and a docstring goes before it", () => {
    const entries = { "Amount.unit": "Of this schema.", unit: "Of any." };
    const described = describeProperties({ components: { schemas } }, entries, (_, name) =>
      name === "amount" ? "From the source." : undefined,
    );
    const { amount, unit } = described.document.components.schemas.Amount.properties;
    expect(amount).to.include({ description: "From the source." });
    expect(unit).to.include({ description: "Of this schema." });
  });

  it("a parameter, a body and an answer without an example", () => {
    const content = { "application/json": { schema: {} } };
    const operation = {
      operationId: "pay",
      parameters: [{ in: "query", name: "limit", required: false, schema: { type: "integer" } }],
      requestBody: { content, required: true },
      responses: { 200: { content, description: "Paid" } },
      summary: "Pays",
      tags: ["Quotes"],
    } as const;
    const withPath = { ...document, paths: { "/pay": { post: operation } }, webhooks: {} };
    const lacking = addExamples(withPath, { pay: { answers: {}, parameters: {} } });
    expect(lacking.problems).to.deep.equal([
      "Parameter limit of pay has no example",
      "The body of pay has no example",
      "Answer 200 of pay has no example",
    ]);
    const given = { pay: { answers: { 200: {} }, body: { amount: "1" }, parameters: { limit: "5" } } };
    const { document: complete, problems } = addExamples(withPath, given);
    expect(problems).to.deep.equal([]);
    expect(complete.paths["/pay"]?.["post"]?.parameters?.[0]?.schema).to.deep.equal({
      examples: [5],
      type: "integer",
    });
  });
});
