import { expect } from "chai";
import { allRoutes } from "../../../../../emulator/http/createApp.ts";
import { describeApi } from "../../../../../emulator/http/openapi/describeApi.ts";
import type { JsonSchema, OpenApiDocument } from "../../../../../emulator/http/openapi/OpenApiDocument.ts";
import { referencePage } from "../../../../../emulator/http/pages/referencePage.ts";
import { schemaText } from "../../../../../emulator/http/pages/schemaText.ts";
import { idleDeps } from "../../../../helpers/openapi/describedRoutes.ts";

describe("referencePage", () => {
  const document = describeApi(allRoutes(idleDeps), "1.2.3");
  let page: string;
  before(async () => {
    page = String(await referencePage(document));
  });

  it("lists every operation with its method, parameters and answers, and links to each", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, parameters = [], responses }] of Object.entries(methods)) {
        const article = articleOf(page, operationId);
        expect(article, operationId).to.include(`<span class="method">${method}</span> ${path}</code></h3>`);
        expect(page).to.include(`<a href="#${operationId}">`);
        for (const { name } of parameters)
          expect(article, operationId).to.include(`<code>${name}</code></th>`);
        for (const status of Object.keys(responses)) {
          expect(article, operationId).to.include(`<th scope="row">${status}</th>`);
        }
      }
    }
    expect(articleOf(page, "getRequestsV2")).to.include("<strong>Deprecated.</strong>");
    expect(articleOf(page, "getRequests")).to.include("Needs an API key");
    expect(articleOf(page, "addFault")).to.include("Needs the admin key");
  });

  it("has no script, no style attribute and no address of another host", () => {
    expect(page).to.not.match(/<script|\son\w+=|\sstyle=|<iframe|<img|<form|@import|url\(/i);
    for (const [, target] of page.matchAll(/(?:href|src)="([^"]*)"/g)) {
      expect(target).to.match(/^(?:#[\w-]+|\/openapi\.json|data:,)$/);
    }
    expect(page).to.not.match(/https?:\/\//);
  });

  it("a document with markup in its texts: is escaped", async () => {
    const hostile = `<img src=x onerror=alert(1)>"&`;
    const odd: OpenApiDocument = {
      ...document,
      components: { ...document.components, schemas: { Odd: { const: hostile, title: hostile } } },
      info: { description: hostile, title: hostile, version: hostile },
    };
    expect(String(await referencePage(odd))).to.not.include("<img");
  });

  it("schemas: are described in words", async () => {
    const cases: readonly (readonly [JsonSchema, string])[] = [
      [{ $ref: "#/components/schemas/Amount" }, '<a href="#schema-Amount">Amount</a>'],
      [{ enum: ["asc", "desc"] }, "one of <code>asc</code>, <code>desc</code>"],
      [{ const: 1 }, "<code>1</code>"],
      [{ enum: ["asc"] }, "<code>asc</code>"],
      [
        { allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { errorCode: { enum: ["X"] } } }] },
        '<a href="#schema-Error">Error</a> with <ul class="fields"><li><code>errorCode</code> (optional): <code>X</code></li></ul>',
      ],
      [{ not: {} }, "must not be there"],
      [{}, "anything"],
      [{ type: ["string", "null"] }, "string or null"],
      [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
      [{ additionalProperties: { type: "string" }, type: "object" }, "object of string"],
      [
        { maximum: 50, minimum: 1, type: "integer" },
        'integer <span class="muted">(at least <code>1</code>, at most <code>50</code>)</span>',
      ],
      [
        { items: { type: "string" }, maxItems: 3, type: "array" },
        'list of string <span class="muted">(at most <code>3</code> entries)</span>',
      ],
      [
        { properties: { a: { type: "string" }, b: {} }, required: ["a"], type: "object" },
        'object <ul class="fields"><li><code>a</code>: string</li><li><code>b</code> (optional): anything</li></ul>',
      ],
    ];
    for (const [schema, words] of cases) expect(String(await schemaText(schema))).to.equal(words);
    const many = { enum: Array.from({ length: 9 }, (_, index) => `v${index}`) };
    expect(String(await schemaText(many))).to.include("<details><summary>one of 9 values</summary>");
  });
});

function articleOf(page: string, operationId: string): string {
  return page.split(`<article aria-labelledby="${operationId}">`)[1]?.split("</article>")[0] ?? "";
}
