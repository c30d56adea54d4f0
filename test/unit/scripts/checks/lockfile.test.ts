import { expect } from "chai";
import { checkLockfile, completeLockfile, type Lockfile } from "../../../../scripts/checks/lockfile.ts";

const incomplete: Lockfile & { lockfileVersion: number } = {
  lockfileVersion: 3,
  packages: {
    "": {},
    "node_modules/edr": {
      version: "1.0.0",
      dev: true,
      optionalDependencies: {
        "edr-darwin-arm64": "1.0.0",
        "edr-linux-x64-musl": "1.0.0",
        "edr-linux-x64-gnu": "1.0.0",
      },
    },
    "node_modules/edr-linux-x64-gnu": { version: "1.0.0", dev: true, optional: true },
  },
};

describe("the check of the lockfile", () => {
  it("finds native packages of other platforms that are not locked", () => {
    expect(checkLockfile(incomplete).map(({ message }) => message.split(" ")[3])).to.deep.equal([
      "edr-darwin-arm64@1.0.0",
      "edr-linux-x64-musl@1.0.0",
    ]);
  });

  it("adds them with the platform that their names speak of, and keeps the rest", () => {
    const { packages, lockfileVersion } = completeLockfile(incomplete);
    expect(checkLockfile({ packages })).to.deep.equal([]);
    expect(lockfileVersion).to.equal(3);
    expect(packages).to.deep.include(incomplete.packages);
    expect(packages).to.have.deep.property("node_modules/edr-darwin-arm64", {
      version: "1.0.0",
      cpu: ["arm64"],
      os: ["darwin"],
      dev: true,
      optional: true,
    });
    expect(packages["node_modules/edr-linux-x64-musl"]?.libc).to.deep.equal(["musl"]);
  });

  it("finds a package next to the one that wants it", () => {
    const nested = {
      packages: {
        "node_modules/a/node_modules/b": { version: "1.0.0", optionalDependencies: { c: "1.0.0" } },
        "node_modules/a/node_modules/c": { version: "1.0.0" },
      },
    };
    expect(checkLockfile(nested)).to.deep.equal([]);
  });

  it("finds a registry's address", () => {
    const packages = { "node_modules/a": { version: "1.0.0", resolved: "https://example.org/a-1.0.0.tgz" } };
    expect(checkLockfile({ packages })[0]?.message).to.contain("node_modules/a names a registry");
  });
});
