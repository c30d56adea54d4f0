/** Writes `descriptors`: how a wallet shows each function and message of this repository (ERC-7730). */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format } from "../checks/generated.ts";
import type { SourceFile } from "../checks/Problem.ts";
import { root } from "../checks/runTool.ts";
import { stateChanging } from "../descriptors/abi.ts";
import { CONTRACTS, type DescribedContract } from "../descriptors/contracts.ts";
import { DOMAINS } from "../descriptors/messages.ts";
import { renderContract, renderDomain } from "../descriptors/renderDescriptor.ts";
import { readArtifact } from "./abi.ts";

export const DESCRIPTOR_FOLDER = "descriptors";

/** ABI of a described contract: the functions that change its state. */
export function describedFunctions({ sources }: DescribedContract) {
  return stateChanging(sources.map((source) => readArtifact(source).abi));
}

/** Path of a descriptor. The linter knows the kind by the first word. */
export const descriptorPath = (kind: "calldata" | "eip712", name: string): string =>
  `${DESCRIPTOR_FOLDER}/${kind}-${name}.json`;

/** Renders every descriptor from the current artifacts. */
export async function generateDescriptors(): Promise<SourceFile[]> {
  const files = [
    ...Object.entries(CONTRACTS).map(([name, contract]) => ({
      path: descriptorPath("calldata", name),
      text: renderContract(name, contract, describedFunctions(contract)),
    })),
    ...Object.entries(DOMAINS).map(([name, domain]) => ({
      path: descriptorPath("eip712", name),
      text: renderDomain(name, domain),
    })),
  ];
  return await Promise.all(files.map(format));
}

if (import.meta.main) {
  for (const { path, text } of await generateDescriptors()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
