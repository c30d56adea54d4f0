import { Validator } from "@seriousme/openapi-schema-validator";
import { expect } from "chai";
import { allRoutes, createApp } from "../../../../emulator/http/createApp.ts";
import { describeApi } from "../../../../emulator/http/openapi/describeApi.ts";
import { operationsPage } from "../../../../emulator/http/routes/pages/documents.ts";
import { requestsV2QuerySchema } from "../../../../src/schema/request/query/requestsV2Query.ts";
import { requestsV3QuerySchema } from "../../../../src/schema/request/query/requestsV3Query.ts";
import { ajvWitness } from "../../../helpers/openapi/ajvWitness.ts";
import { idleDeps } from "../../../helpers/openapi/describedRoutes.ts";
import { bridgeQuote } from "../../client/support/samples.ts";

describe("describeApi", () => {
  const document = describeApi(allRoutes(idleDeps), "1.2.3");
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

  it("parameters of the listings: have the types that their text is read as", () => {
    const parametersOf = (path: string) => document.paths[path]?.get?.parameters ?? [];
    const namesOf = (path: string) => parametersOf(path).map(({ name }) => name);
    expect(namesOf("/requests/v3")).to.have.members(Object.keys(requestsV3QuerySchema.shape));
    expect(namesOf("/requests/v2")).to.have.members(Object.keys(requestsV2QuerySchema.shape));
    const byName = new Map(parametersOf("/requests/v3").map((one) => [one.name, one]));
    expect(byName.get("limit")).to.deep.include({
      required: false,
      schema: { default: 20, maximum: 50, minimum: 1, type: "integer" },
    });
    expect(byName.get("includeTotal")?.schema).to.deep.equal({ type: "boolean" });
    expect(byName.get("amountUsdMin")?.schema).to.deep.equal({ minimum: 0, type: "number" });
    expect(byName.get("features")).to.deep.include({ explode: false, style: "form" });
    const groups = byName.get("filters")?.content?.["application/json"]?.schema;
    expect(JSON.stringify(groups)).to.include('"not:status"');
    expect(document.paths["/intents/status/v3"]?.get?.parameters).to.deep.include.members([
      {
        in: "query",
        name: "requestId",
        required: true,
        schema: { maxLength: 512, minLength: 1, type: "string" },
      },
    ]);
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

describe("operationsPage", () => {
  it("a document with markup in its texts: lists every operation, and has no script and no foreign address", async () => {
    const hostile = `<img src=x onerror=alert(1)>"&`;
    const document = describeApi(allRoutes(idleDeps), "1.2.3");
    const info = { description: hostile, title: hostile, version: hostile };
    const page = String(await operationsPage({ ...document, info }));
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods)) {
        expect(page).to.include(`<code>${method.toUpperCase()} ${path}</code>`);
      }
    }
    expect(page).to.not.match(/<script|\sstyle=|<iframe|<img|<form|@import|url\(/i);
    for (const [, target] of page.matchAll(/(?:href|src)="([^"]*)"/g)) {
      expect(target).to.match(/^(?:\/openapi\.json|data:,)$/);
    }
  });
});
