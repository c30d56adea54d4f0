import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { packageRoot } from "../packageRoot.ts";

/** ABI, creation code and deployed code of a compiled contract. */
type Artifact = { readonly abi: Abi; readonly bytecode: Hex; readonly deployedBytecode: Hex };

/** Reads a compiled contract of this package. */
export function readArtifact(path: string): Artifact {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const file = join(packageRoot, "artifacts", "contracts", `${path}.sol`, `${name}.json`);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Artifact;
  } catch (cause) {
    throw new Error(`The compiled contract ${name} is missing: run \`npm run contracts:build\`.`, { cause });
  }
}
