import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { runCommand } from "../../../../../scripts/test/examples/runCommand.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";

describe("a command of an example", () => {
  let folder: string;
  const scripts = {
    environment: 'node -p "JSON.stringify([process.version, process.env.PATH])"',
    fail: "echo the reason && exit 3",
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-npm-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, scripts }));
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  it("a failed command: rejects with its exit code and its output", async () => {
    const error = await failureOf(runCommand(folder, ["npm", "run", "fail"]));
    expect(error).to.have.property("message", "npm run ended with 3");
    expect(error).to.have.property("cause").that.includes("the reason");
  });

  it("a command: runs by this Node, and finds no command of the repository", async () => {
    const output = await runCommand(folder, ["npm", "run", "--silent", "environment"]);
    const [version, path] = JSON.parse(output.slice(output.indexOf("[")));
    expect(version).to.equal(process.version);
    expect(path).not.to.contain(join(import.meta.dirname, "../../../../../node_modules/.bin"));
  });
});
