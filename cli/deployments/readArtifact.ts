import { createRequire } from "node:module";
import type { ContractArtifact, ContractName } from "../../src/deployment/contracts.ts";

const require = createRequire(import.meta.url);

/** Reads the artifact that the library publishes. */
export function readArtifact(name: ContractName): ContractArtifact {
  return require(`waybill/artifacts/${name}.json`);
}
