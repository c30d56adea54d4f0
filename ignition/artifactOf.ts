import { createRequire } from "node:module";
import type { Artifact } from "hardhat/types/artifacts";

const require = createRequire(import.meta.url);

/**
 * The artifact that this package exports by the contract's name. Modules take it in place of the project's own, so that
 * another project deploys the same code without compiling it.
 */
export function artifactOf(contract: string): Artifact {
  return require(`waybill/artifacts/${contract}.json`);
}
