import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Abi, type Address, encodeDeployData, type Hex } from "viem";
import { packageRoot } from "../../../emulator/chains/packageRoot.ts";

/** Folder of the package that names the protocols' packages. */
export const protocolsFolder = join(packageRoot, "test", "fork", "protocols");
const require = createRequire(join(protocolsFolder, "package.json"));

type Links = Readonly<Record<string, Readonly<Record<string, readonly { length: number; start: number }[]>>>>;

/** ABI and creation code of a published contract. */
export type Published = { readonly abi: Abi; readonly bytecode: Hex; readonly linkReferences?: Links };

/**
 * Reads a contract's artifact from its npm package.
 *
 * @param path As `@aave/core-v3/artifacts/contracts/protocol/pool/Pool.sol/Pool`, without the extension.
 * @throws Error that names the command which installs the packages.
 */
export function published(path: string): Published {
  if (!existsSync(join(protocolsFolder, "node_modules"))) {
    throw new Error(`The protocols' packages are missing: run \`npm ci\` in ${protocolsFolder}.`);
  }
  return JSON.parse(readFileSync(require.resolve(`${path}.json`), "utf8")) as Published;
}

/** Creation code with encoded arguments, and with the addresses of libraries where it needs some. */
export function initCode(
  { abi, bytecode, linkReferences = {} }: Published,
  args: readonly unknown[] = [],
  libraries: Readonly<Record<string, Address>> = {},
): Hex {
  let linked = bytecode;
  for (const [name, places] of Object.values(linkReferences).flatMap((names) => Object.entries(names))) {
    const library = libraries[name];
    if (library === undefined) throw new Error(`The library ${name} is not deployed.`);
    for (const { length, start } of places) {
      const from = 2 + 2 * start;
      linked = `${linked.slice(0, from)}${library.slice(2)}${linked.slice(from + 2 * length)}` as Hex;
    }
  }
  return args.length === 0 ? linked : encodeDeployData({ abi, args, bytecode: linked });
}

/** Reads an export of a package's file that the package keeps to itself. */
export async function readPrivate(packageName: string, file: string, name: string): Promise<Hex> {
  const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
  const exported: Record<string, unknown> = await import(pathToFileURL(join(dirname(manifest), file)).href);
  const value = exported[name];
  if (typeof value !== "string") throw new Error(`${packageName} has no ${name} in ${file}.`);
  return value as Hex;
}
