import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { lockFile } from "../../../../cli/execution/lockFile.ts";
import { CommandError } from "../../../../cli/terminal/CommandError.ts";

describe("lockFile", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-lock-"));
  after(() => rmSync(folder, { force: true, recursive: true }));

  it("a held lock: refuses a second holder until it is freed, and other files meanwhile not", () => {
    const file = join(folder, "run.json");
    const unlock = lockFile(file);
    expect(() => lockFile(file))
      .to.throw(CommandError, "Another process")
      .with.property("exitCode", 1);
    lockFile(join(folder, "other.json"))();
    unlock();
    lockFile(file)();
  });

  it("a folder that is missing: is refused by the file's name", () => {
    expect(() => lockFile(join(folder, "none", "run.json")))
      .to.throw(CommandError, "run.json")
      .with.property("exitCode", 2);
  });
});
