import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";

type Versions = Readonly<Record<string, string>>;

const root = new URL("../../../", import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, root), "utf8"));
const { packages }: { packages: Record<string, { version?: string }> } = read("package-lock.json");

/** Versions that a manifest names, and that do not come from this repository. */
function foreign(path: string): [string, string][] {
  const manifest: { dependencies?: Versions; devDependencies?: Versions } = read(path);
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([name]) => name !== "waybill" && !name.startsWith("@waybill/"),
  );
}

describe("the manifests of the examples", () => {
  // The widget's peers are those of the official widget.
  const manifests = globSync("examples/*/package.json", {
    cwd: root.pathname,
    exclude: ["examples/widget/**"],
  });

  it("name the versions that the lockfile of this repository tests, for every package in it", () => {
    const shared = manifests.flatMap(foreign).filter(([name]) => `node_modules/${name}` in packages);
    expect(shared).to.have.length.greaterThan(20);
    for (const [name, version] of shared)
      expect(version, name).to.equal(packages[`node_modules/${name}`]?.version);
  });
});
