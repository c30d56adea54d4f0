/**
 * Writes `src/abi`: a module with the ABI of each published contract, the addresses of those that have one, and the entry
 * point.
 *
 * The text depends on the artifacts alone, so `npm run check` can compare it with what is committed.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Hex } from "viem";
import { format } from "../checks/generated.ts";
import type { SourceFile } from "../checks/Problem.ts";
import { root } from "../checks/runTool.ts";
import { GENERATED_HEADER, renderAbi, renderAbiIndex } from "./renderAbi.ts";
import { renderDeployments } from "./renderDeployments.ts";

/** Contracts whose ABI the package publishes, by their source under `contracts/`. */
const PUBLISHED_CONTRACTS: readonly string[] = [
  "guard/OutputGuard",
  "proxy/BalanceExecutor",
  "proxy/BalanceProxy",
  "receiver/ManagedReceiver",
  "receiver/ManagedReceiverLens",
  "receiver/OrderReceiver",
  "receiver/PinnedReceiver",
  "records/RecordVerifier",
  "service/Multicall3",
  "service/RelayApprovalProxyV2_1",
  "service/RelayApprovalProxyV3",
  "service/RelayDepository",
  "service/RelayReceiver",
  "service/RelayRouterV2_1",
  "service/RelayRouterV3",
  "service/currencies/LocalDollar",
  "service/currencies/LocalVault",
  "service/currencies/LocalWrappedNative",
];

export const ABI_FOLDER = "src/abi";

type Artifact = { readonly abi: readonly unknown[]; readonly bytecode: Hex };

/** Artifact of a contract, by its source under `contracts/`. @throws Error if it is not built. */
export function readArtifact(source: string): Artifact {
  const path = join("artifacts", "contracts", `${source}.sol`, `${basename(source)}.json`);
  try {
    return JSON.parse(readFileSync(join(root, path), "utf8"));
  } catch (cause) {
    throw new Error(`No ABI of ${source}: ${path} cannot be read. Run "npm run contracts:build".`, { cause });
  }
}

/** Whether a file is generated; other files in the folder are hand-written. */
export function isGenerated({ text }: SourceFile): boolean {
  return text.startsWith(GENERATED_HEADER);
}

/** Generates the files of `src/abi` from the current artifacts. */
export async function generateAbiFiles(sources = PUBLISHED_CONTRACTS): Promise<SourceFile[]> {
  const contracts = sources.map((source) => basename(source));
  const modules = sources.map((source) => ({
    path: `${ABI_FOLDER}/${basename(source)}.ts`,
    text: renderAbi(basename(source), readArtifact(source).abi),
  }));
  const code = Object.fromEntries(
    sources.map((source) => [basename(source), readArtifact(source).bytecode] as const),
  );
  const receivers = sources
    .filter((source) => source.startsWith("receiver/"))
    .map((source) => basename(source));
  return await Promise.all(
    [
      ...modules,
      { path: `${ABI_FOLDER}/deployments.ts`, text: renderDeployments(code, receivers) },
      { path: `${ABI_FOLDER}/index.ts`, text: renderAbiIndex(contracts) },
    ].map(format),
  );
}

/** Replaces the generated files, and removes those of unlisted contracts. */
export function writeAbiFiles(files: readonly SourceFile[]): void {
  const folder = join(root, ABI_FOLDER);
  mkdirSync(folder, { recursive: true });
  const kept = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!kept.has(name) && isGenerated({ path, text: readFileSync(path, "utf8") })) rmSync(path);
  }
  for (const { path, text } of files) writeFileSync(join(root, path), text);
}

if (import.meta.main) {
  const files = await generateAbiFiles();
  writeAbiFiles(files);
  process.stdout.write(`${files.length} files written to ${ABI_FOLDER}\n`);
}
