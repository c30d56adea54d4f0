import { expect } from "chai";
import { checkTypescriptImports } from "../../../scripts/checks/typescriptImports.ts";

const messages = (files: Record<string, string>): string[] =>
  checkTypescriptImports(Object.entries(files).map(([path, text]) => ({ path, text }))).map(
    ({ file, line, message }) => `${file}:${line ?? ""} ${message}`,
  );

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
      "LIBRARY_LAYERS",
    );
  });

  it("refuse a circle of imports", () => {
    const files = {
      "src/calls/a.ts": 'import "./b.ts";',
      "src/calls/b.ts": 'import "./c.ts";',
      "src/calls/c.ts": 'import "./a.ts";',
    };
    expect(messages(files)).to.deep.equal([
      "src/calls/a.ts: imports itself by way of src/calls/b.ts → src/calls/c.ts → src/calls/a.ts",
    ]);
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
});
