import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { LAYERS } from "../../../../../scripts/checks/imports/layers.ts";
import { checkTypescriptImports } from "../../../../../scripts/checks/imports/typescriptImports.ts";
import { root } from "../../../../../scripts/checks/runTool.ts";
import { problemsIn } from "./support/problemsIn.ts";

const messages = problemsIn(checkTypescriptImports);

describe("the import rules of TypeScript", () => {
  it("accept imports that go down the layers", () => {
    const files = {
      "src/errors/BaseError.ts": "export class BaseError extends Error {}\n",
      "src/records/hash.ts":
        'import { keccak256 } from "viem";\nimport { BaseError } from "../errors/BaseError.ts";\n',
      "src/calls/sweep.ts":
        'import { routerAbi } from "../abi/Router.ts";\nimport { hash } from "../records/hash.ts";\n',
      "emulator/quote/price.ts":
        'import { readFile } from "node:fs/promises";\nimport "../../src/calls/sweep.ts";\n',
    };
    expect(messages(files)).to.deep.equal([]);
  });

  it("refuse an import that goes up the layers, with its file, line and rule", () => {
    const text = 'import { z } from "zod";\n\nimport type { Client } from "../client/Client.ts";\n';
    expect(messages({ "src/schema/quote.ts": text })).to.deep.equal([
      "src/schema/quote.ts:3 src/schema may import src/errors, src/internal, not src/client",
    ]);
  });

  it("refuse a layer above them to the generated files", () => {
    expect(messages({ "src/abi/Router.ts": 'import "../records/hash.ts";' })).to.deep.equal([
      "src/abi/Router.ts:1 src/abi may import src/errors, src/internal, not src/records",
    ]);
  });

  it("refuse the emulator, Hardhat and Node's own modules in the library", () => {
    const text =
      'import "../../emulator/index.ts";\nimport "hardhat";\nimport "node:crypto";\nimport "fs";\n';
    const found = messages({ "src/client/getQuote.ts": text });
    expect(found).to.have.length(4);
    expect(found[0]).to.contain("src/client/getQuote.ts:1").and.to.contain("not emulator/");
    expect(found[1]).to.contain("not hardhat");
    expect(found[2]).to.contain("runs in a browser").and.to.contain("node:crypto");
    expect(found[3]).to.contain("src/client/getQuote.ts:4").and.to.contain("fs");
  });

  it("allow Node's own modules in the adapters of webhooks, and nowhere else there", () => {
    const text = 'import { createHmac } from "node:crypto";';
    expect(messages({ "src/webhooks/adapters/express.ts": text })).to.deep.equal([]);
    expect(messages({ "src/webhooks/verify.ts": text })).to.have.length(1);
  });

  it("see dynamic imports too", () => {
    expect(messages({ "src/track/poll.ts": 'const load = () => import("node:timers");' })).to.have.length(1);
  });

  it("refuse a folder that has no place in the layers", () => {
    expect(messages({ "src/extras/a.ts": 'import "../errors/BaseError.ts";' })[0]).to.contain(
      "src/extras has no place in the layers: add it to layers.ts",
    );
  });

  it("refuse barrels, and imports of entry points from within the library", () => {
    const files = {
      "src/index.ts": 'export { sweep } from "./calls/sweep.ts";',
      "src/calls/all.ts": 'export * from "./sweep.ts";',
      "src/calls/index.ts": 'export { sweep } from "./sweep.ts";',
      "src/execute/run.ts": 'import { sweep } from "../index.ts";',
    };
    expect(messages(files)).to.deep.equal([
      "src/execute/run.ts:1 entry points are for users: import the file that owns the name",
      "src/calls/all.ts:1 only the package's entry points re-export: import from the file that owns the name",
      "src/calls/index.ts:1 only the package's entry points re-export: import from the file that owns the name",
    ]);
  });

  it("refuse an import of package.json in what is built", () => {
    const text = 'import manifest from "../package.json" with { type: "json" };';
    expect(messages({ "cli/waybill.ts": text })).to.deep.equal([
      'cli/waybill.ts:1 read it at run time: require("waybill/package.json")',
    ]);
    expect(messages({ "scripts/check.ts": text })).to.deep.equal([]);
  });

  it("refuse tests imported by anything but tests", () => {
    expect(messages({ "emulator/run.ts": 'import "../test/helpers/accounts.ts";' })).to.deep.equal([
      "emulator/run.ts:1 only tests import tests",
    ]);
  });

  it("count an import in a type", () => {
    expect(
      messages({ "src/schema/quote.ts": 'type C = import("../client/Client.ts").Client;' }),
    ).to.have.length(1);
  });
});

describe("the rooms of the emulator", () => {
  it("accept imports that go down, and any from the files that start the emulator", () => {
    const files = {
      "emulator/http/createApp.ts": 'import "../control/Control.ts";\nimport "../../src/schema/quote.ts";\n',
      "emulator/startEmulator.ts": 'import "./http/createApp.ts";\nimport "./describe.ts";\n',
      "emulator/index.ts": 'export { startEmulator } from "./startEmulator.ts";\n',
    };
    expect(messages(files)).to.deep.equal([]);
  });

  it("reject an import that goes up, with its file, line and rule", () => {
    const text = '\nimport type { Quote } from "../../quote/createQuote.ts";\n';
    expect(messages({ "emulator/store/tables/quotes.ts": text })).to.deep.equal([
      "emulator/store/tables/quotes.ts:2 emulator/store may import nothing, not emulator/quote",
    ]);
    expect(messages({ "emulator/money/prices.ts": 'import "../chains/Chain.ts";' })).to.deep.equal([
      "emulator/money/prices.ts:1 emulator/money may import emulator/errors, emulator/store, not emulator/chains",
    ]);
  });

  it("reject a room that imports the files that start the emulator, or its entry point", () => {
    expect(
      messages({ "emulator/store/a.ts": 'import "../describe.ts";\nimport "../index.ts";' }),
    ).to.deep.equal([
      "emulator/store/a.ts:1 emulator/store may import nothing, not emulator/describe.ts",
      "emulator/store/a.ts:2 entry points are for users: import the file that owns the name",
    ]);
  });

  it("reject a room that is not listed, as importer and as imported", () => {
    const files = {
      "emulator/extras/a.ts": 'import "../log/foldLog.ts";',
      "emulator/store/b.ts": 'import "../extras/a.ts";',
    };
    expect(messages(files)).to.deep.equal([
      "emulator/extras/a.ts:1 emulator/extras has no place in the layers: add it to layers.ts",
      "emulator/store/b.ts:1 emulator/store may import nothing, not emulator/extras",
    ]);
  });
});

/** What a build or an installation leaves in a package's folder. */
const builds = new Set(["dist", "node_modules"]);

describe("the layers", () => {
  for (const [part, layers] of Object.entries(LAYERS)) {
    it(`of ${part} are the folders of ${part}, each allowed lower ones only`, () => {
      const folders = readdirSync(join(root, part), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !builds.has(entry.name))
        .map(({ name }) => name);
      const lowToHigh = Object.keys(layers);
      expect([...lowToHigh].sort()).to.deep.equal(folders.sort());
      for (const [index, folder] of lowToHigh.entries()) {
        expect(lowToHigh.slice(0, index), folder).to.include.members([...(layers[folder] ?? [])]);
      }
    });
  }

  it("of the emulator have a line each in CONTRIBUTING.md, in this order", () => {
    const section =
      readFileSync(join(root, "CONTRIBUTING.md"), "utf8").split("## The emulator's rooms\n")[1] ?? "";
    const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)\/` \|(?! holds)/gm)].map(
      ([, folder]) => folder,
    );
    expect(rows).to.deep.equal(Object.keys(LAYERS["emulator"] ?? {}));
  });
});
