import { expect } from "chai";
import { checkTypescriptImports } from "../../../../../scripts/checks/imports/typescriptImports.ts";
import { problemsIn } from "./support/problemsIn.ts";

const messages = problemsIn(checkTypescriptImports);

describe("cycles of files", () => {
  it("rejects files that import each other in turn, once", () => {
    const files = {
      "src/calls/a.ts": 'import "./b.ts";',
      "src/calls/b.ts": 'import "./c.ts";',
      "src/calls/c.ts": 'import "./a.ts";',
    };
    expect(messages(files)).to.deep.equal([
      "src/calls/a.ts: imports itself by way of src/calls/b.ts → src/calls/c.ts → src/calls/a.ts",
    ]);
  });

  it("rejects a file that imports itself", () => {
    expect(messages({ "cli/a.ts": 'import "./a.ts";' })).to.deep.equal([
      "cli/a.ts: imports itself by way of cli/a.ts",
    ]);
  });

  it("reports the shortest of two cycles through one file", () => {
    const files = {
      "bench/a.ts": 'import "./b.ts";\nimport "./c.ts";\n',
      "bench/b.ts": 'import "./c.ts";\n',
      "bench/c.ts": 'import "./a.ts";\n',
    };
    expect(messages(files)).to.deep.equal(["bench/a.ts: imports itself by way of bench/c.ts → bench/a.ts"]);
  });

  it("reports every cycle that shares no file with another", () => {
    const files = {
      "bench/a.ts": 'import "./b.ts";\nimport "./c.ts";\n',
      "bench/b.ts": 'import "./a.ts";\n',
      "bench/c.ts": 'import "./d.ts";\n',
      "bench/d.ts": 'import "./c.ts";\n',
    };
    expect(messages(files)).to.deep.equal([
      "bench/a.ts: imports itself by way of bench/b.ts → bench/a.ts",
      "bench/c.ts: imports itself by way of bench/d.ts → bench/c.ts",
    ]);
  });

  it("rejects a test file and a benchmark that import each other", () => {
    const files = {
      "bench/gas.ts": 'import "../test/helpers/stage.ts";',
      "test/helpers/stage.ts": 'import "../../bench/gas.ts";',
    };
    expect(messages(files)).to.deep.equal([
      "bench/gas.ts: imports itself by way of test/helpers/stage.ts → bench/gas.ts",
    ]);
  });

  it("accepts a file that is imported along two ways", () => {
    const files = {
      "bench/a.ts": 'import "./b.ts";\nimport "./c.ts";\n',
      "bench/b.ts": 'import "./d.ts";',
      "bench/c.ts": 'import "./d.ts";',
      "bench/d.ts": "export {};",
    };
    expect(messages(files)).to.deep.equal([]);
  });
});

describe("cycles of folders", () => {
  it("rejects folders that import each other through different subfolders, naming both imports", () => {
    const files = {
      "emulator/chains/evm/rpc/a.ts": 'import "../../setup/tokens/b.ts";',
      "emulator/chains/setup/c.ts": '\nimport type { D } from "../evm/d.ts";',
    };
    expect(messages(files)).to.deep.equal([
      "emulator/chains/evm/rpc/a.ts:1 closes a cycle of folders: emulator/chains/evm → emulator/chains/setup (emulator/chains/evm/rpc/a.ts:1), emulator/chains/setup → emulator/chains/evm (emulator/chains/setup/c.ts:2)",
    ]);
  });

  for (const part of ["src/calls", "emulator/chains", "cli", "bench", "scripts", "hardhat", "campaigns"]) {
    it(`rejects three folders of ${part} that import each other in turn`, () => {
      const files = {
        [`${part}/a/a.ts`]: 'import "../b/b.ts";',
        [`${part}/b/b.ts`]: 'import "../c/c.ts";',
        [`${part}/c/d.ts`]: 'import "../a/d.ts";',
      };
      const found = messages(files);
      expect(found).to.have.length(1);
      expect(found[0]).to.contain("closes a cycle of folders").and.to.contain(`${part}/c → ${part}/a`);
    });
  }

  it("rejects a folder and a file next to it that import each other", () => {
    const files = {
      "cli/run.ts": 'import "./commands/start.ts";',
      "cli/commands/stop.ts": 'import "../run.ts";',
    };
    expect(messages(files)).to.deep.equal([
      "cli/commands/stop.ts:1 closes a cycle of folders: cli/commands → cli/run.ts (cli/commands/stop.ts:1), cli/run.ts → cli/commands (cli/run.ts:1)",
    ]);
  });

  it("accepts a folder that imports one file next to it and is imported by another", () => {
    const files = {
      "cli/run.ts": 'import "./commands/start.ts";',
      "cli/commands/start.ts": 'import "../flags.ts";',
      "cli/flags.ts": "export {};",
    };
    expect(messages(files)).to.deep.equal([]);
  });

  it("accepts an entry point that re-exports a folder above its own", () => {
    const files = {
      "src/client/index.ts": 'export { track } from "../track/track.ts";',
      "src/track/track.ts": 'import "../client/Client.ts";',
    };
    expect(messages(files)).to.deep.equal([]);
  });

  it("accepts folders of tests that import each other", () => {
    const files = {
      "test/unit/a.ts": 'import "../helpers/b.ts";',
      "test/helpers/c.ts": 'import "../unit/d.ts";',
    };
    expect(messages(files)).to.deep.equal([]);
  });
});
