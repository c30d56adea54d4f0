import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { readPackages } from "../../../../../scripts/checks/packages.ts";
import { installExamples } from "../../../../../scripts/test/examples/installExamples.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";

describe("installExamples", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-install-"));
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  it("a package with a dependency that the lockfile lacks: is refused before anything is installed", async () => {
    const [library] = readPackages();
    if (library === undefined) throw new Error("no package");
    const manifest = {
      ...library.manifest,
      dependencies: { ...library.manifest.dependencies, other: "1.0.0" },
    };
    const error = await failureOf(
      installExamples(folder, [{ manifest, tarball: "packages/waybill.tgz" }], []),
    );
    expect(error).to.have.property("message").that.includes("npm run test:examples -- --lock");
    expect(existsSync(join(folder, "node_modules"))).to.equal(false);
  });
});
