import { createRequire } from "node:module";
import type { Artifact } from "hardhat/types/artifacts";

const require = createRequire(import.meta.url);

/**
 * Reads the artifact that this package exports by contract name. Other projects then deploy the same code without compiling
 * it.
 */
export function artifactOf(contract: string): Artifact {
  return require(`waybill/artifacts/${contract}.json`);
}
