import { expect } from "chai";
import { createProgram } from "../../../../cli/createProgram.ts";
import { readEntryPoints } from "../../../../scripts/checks/entryPoints.ts";
import { root } from "../../../../scripts/checks/runTool.ts";
import { renderCommands } from "../../../../scripts/site/api/commands.ts";
import { renderContracts } from "../../../../scripts/site/api/contracts.ts";
import { renderHttp } from "../../../../scripts/site/api/http.ts";
import { renderLibrary } from "../../../../scripts/site/api/library.ts";

describe("the generated pages of the site", () => {
  it("the entry points: each export has a heading, and a function its signature without a body", () => {
    const entries = readEntryPoints();
    const pages = renderLibrary(entries, "https://example.org");
    for (const [index, { exports }] of entries.entries())
      for (const { name } of exports) expect(pages[index]?.text).to.include(`\n## ${name}\n`);
    const client = pages.find(({ path }) => path.endsWith("/waybill-client.md"))?.text ?? "";
    expect(client).to.match(/```ts\nfunction createClient\([^{]*\): Client\n```/);
    expect(client).to.match(/\nimport \{[^}]*\bcreateClient\b[^}]*\} from "waybill\/client";\n/);
  });

  it("a type that a schema infers: the schema follows it, with the sentences of its fields and of those it spreads", () => {
    const pages = renderLibrary(readEntryPoints(), "https://example.org");
    const text = pages.find(({ path }) => path.endsWith("/waybill-execute.md"))?.text ?? "";
    const [, policy = ""] = text.split("\n## QuotePolicy\n");
    const [shown = ""] = policy.split("\n## ");
    expect(shown).to.match(/\/\*\* Maximum fee of a transaction in wei[^\n]*\n {2}maximumFee:/);
    expect(shown).to.include("  /** Minimum output. */\n  minimumOutput:");
  });

  it("a contract: its NatSpec stands under the signature, a table of it apart, and links lead to its bases", () => {
    const pages = renderContracts(root, "https://example.org");
    const text = pages.find(({ path }) => path.endsWith("/IPinnedReceiver.md"))?.text ?? "";
    expect(text).to.include("Inherits [IRecordReceiver](IRecordReceiver.md)");
    expect(text).to.include("\n\n| check ");
    expect(text).to.include(
      "### RecordNotSignedBySolver\n\n```solidity\nerror RecordNotSignedBySolver(address recovered, address solver)\n```\n\nThrown when",
    );
    expect(pages.map(({ path }) => path).join())
      .to.match(/BalanceProxy/)
      .and.not.match(/Mock|LocalToken/);
  });

  it("the command: each command has a heading over its help", () => {
    const { text } = renderCommands(createProgram());
    expect(text).to.include("## waybill fault add\n\n```text\nUsage: waybill fault add ");
  });

  it("an endpoint: parameters, body and answers are tables, named schemas are links", () => {
    const [requests, schemas] = renderHttp({
      components: {
        schemas: {
          Shop: {
            description: "A shop.",
            properties: { items: { items: { properties: { id: { type: "string" } } }, type: "array" } },
            required: ["items"],
            type: "object",
          },
        },
        securitySchemes: {},
      },
      info: { description: "", title: "", version: "" },
      openapi: "3.1.1",
      paths: {
        "/shops/{id}": {
          post: {
            operationId: "openShop",
            parameters: [{ in: "path", name: "id", required: true, schema: { type: "string" } }],
            requestBody: {
              content: { "application/json": { schema: { $ref: "#/components/schemas/Shop" } } },
              required: true,
            },
            responses: { 200: { description: "Opened | once" } },
            summary: "Opens a <shop>",
            tags: ["Requests"],
          },
        },
      },
      servers: [],
      tags: [{ description: "", name: "Requests" }],
      webhooks: {},
    });
    expect(requests?.text).to.include("## POST /shops/:id\n\nOpens a &lt;shop>.");
    expect(requests?.text).to.include("| `id` | string | yes |");
    expect(requests?.text).to.include("[Shop](schemas.md#shop)");
    expect(requests?.text).to.include("| 200 |  | Opened \\| once |");
    expect(schemas?.text).to.include("| `items[].id` | string |");
  });
});
