import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "chai";

const source = new URL("../../../cli/launch.ts", import.meta.url).pathname;
/** A program that prints its name and its parameters. */
const echo = (name: string) => `#!/usr/bin/env node\nconsole.log("${name}", ...process.argv.slice(2));\n`;

describe("the command of the package `waybill`", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-launch-"));
    write(
      "library/package.json",
      '{"name":"waybill","version":"1.2.3","type":"module","exports":{"./package.json":"./package.json"}}',
    );
    mkdirSync(join(folder, "project"));
    mkdirSync(join(folder, "bin"));
    cpSync(source, join(folder, "library", "cli", "launch.ts"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  function writeEmulator(place: string): void {
    const path = `${place}/node_modules/@waybill/emulator`;
    write(
      `${path}/package.json`,
      '{"bin":{"waybill":"run.cjs"},"exports":{"./package.json":"./package.json"}}',
    );
    write(`${path}/run.cjs`, echo(place));
  }

  /** Runs it in the project, with the folder's own `npm`. */
  function run(...parameters: readonly string[]): Promise<{ code: unknown; err: string; out: string }> {
    write("bin/npm", echo("npm"));
    chmodSync(join(folder, "bin", "npm"), 0o755);
    const env = { ...process.env, PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}` };
    const launch = join(folder, "library", "cli", "launch.ts");
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [launch, ...parameters],
        { cwd: join(folder, "project"), env },
        (error, out, err) => resolve({ code: error?.code ?? 0, err, out }),
      );
    });
  }

  it("an emulator in the project: runs in place of the one beside the library, with every parameter", async () => {
    writeEmulator("library");
    expect(await run("status", "--json")).to.deep.equal({ code: 0, err: "", out: "library status --json\n" });
    writeEmulator("project");
    expect(await run("status", "--json")).to.deep.equal({ code: 0, err: "", out: "project status --json\n" });
  });

  it("without an emulator, `init` is run by npm from the emulator of its own version", async () => {
    const { code, err, out } = await run("init", "payments");
    expect({ code, err }).to.deep.equal({
      code: 0,
      err: "Fetching @waybill/emulator@1.2.3, which has the command.\n",
    });
    expect(out).to.equal("npm exec --yes --package=@waybill/emulator@1.2.3 -- waybill init payments\n");
  });
});
