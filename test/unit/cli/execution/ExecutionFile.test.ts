import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";

const source = new URL("../../../../cli/execution/ExecutionFile.ts", import.meta.url).pathname;

describe("saveExecutionFile", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-file-"));
  });
  afterEach(() => rmSync(folder, { force: true, recursive: true }));

  /** Saves a text of so many characters in a process that may write files of 8 KiB. */
  const save = (file: string, length: number) => {
    const script = `const { saveExecutionFile } = await import(${JSON.stringify(source)});
      process.on("SIGXFSZ", () => undefined);
      saveExecutionFile(${JSON.stringify(file)}, "x".repeat(${length}));`;
    const args = ["-c", `ulimit -f 8; exec "$0" --input-type=module -e "$1"`, process.execPath, script];
    return spawnSync("bash", args, { encoding: "utf8" });
  };

  it("a disk that takes a part of the text: throws, and the earlier content stays", () => {
    const file = join(folder, "run.json");
    expect(save(file, 100).status).to.equal(0);
    const earlier = readFileSync(file, "utf8");
    expect(save(file, 100_000).status).to.not.equal(0);
    expect(readFileSync(file, "utf8")).to.equal(earlier);
  }).timeout(20_000);

  it("a link at the name of the file: leaves its target alone, and is replaced by a private file", () => {
    const file = join(folder, "run.json");
    const target = join(folder, "target");
    writeFileSync(target, "kept");
    symlinkSync(target, file);
    expect(save(file, 100).status).to.equal(0);
    expect(readFileSync(target, "utf8")).to.equal("kept");
    expect(lstatSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder).toSorted()).to.deep.equal(["run.json", "target"]);
  }).timeout(20_000);
});
