import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Abi, Hex } from "viem";

/** What a compiled contract needs to be deployed. */
export type Artifact = { readonly abi: Abi; readonly bytecode: Hex };

// The package's own root: the same from the TypeScript sources and from the build.
const root = dirname(createRequire(import.meta.url).resolve("waybill/package.json"));

/**
 * Reads a compiled contract of this package.
 *
 * @param path Source file below `contracts/`, without ending; its last part names the contract.
 * @throws Error when the contracts have not been built.
 */
export function readArtifact(path: string): Artifact {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const file = join(root, "artifacts", "contracts", `${path}.sol`, `${name}.json`);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Artifact;
  } catch (cause) {
    throw new Error(`The compiled contract ${name} is missing: run \`npm run contracts:build\`.`, { cause });
  }
}
