/**
 * Writes `dist/sbom.cdx.json` of a package: the packages that an installation brings, from the lockfile, as CycloneDX.
 *
 * It has neither time nor serial number, so that two builds of a commit are equal to the byte.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licenceOf, listInstalled, nameOf } from "../checks/licences.ts";
import type { LockedPackage, Lockfile } from "../checks/lockfile.ts";
import { readPackages } from "../checks/packages.ts";
import { root } from "../checks/runTool.ts";

type Component = {
  readonly type: "library";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly [{ readonly license: { readonly id: string } }];
  readonly hashes?: readonly { readonly alg: "SHA-512"; readonly content: string }[];
};

function toComponent(name: string, { integrity, version = "", ...locked }: LockedPackage): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const content = Buffer.from(integrity?.replace(/^sha512-/, "") ?? "", "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    licenses: [{ license: { id: licenceOf(name, locked) } }],
    ...(content === "" ? {} : { hashes: [{ alg: "SHA-512", content }] }),
  };
}

const [, , folder = "."] = process.argv;
const ours = readPackages().find((each) => each.folder === folder);
if (ours === undefined) throw new Error(`${folder} is no package of this repository`);
const lockfile: Lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const { name, version } = ours.manifest;
const components = listInstalled(lockfile, folder).map((path) =>
  toComponent(nameOf(path), lockfile.packages[path] ?? {}),
);
const sbom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: toComponent(name, { license: "MIT", version }) },
  components,
};
writeFileSync(join(root, folder, "dist", "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
