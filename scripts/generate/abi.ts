/**
 * Writes `src/abi`: a module with the ABI of each published contract, and the entry point.
 *
 * The text depends on the artifacts alone, so `npm run check` can compare it with what is committed.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { SourceFile } from "../checks/Problem.ts";
import { root, runTool } from "../checks/runTool.ts";
import { renderAbi, renderAbiIndex } from "./renderAbi.ts";

/** Contracts whose ABI the package publishes, by their source under `contracts/`. */
const PUBLISHED_CONTRACTS: readonly string[] = [
  "proxy/BalanceProxy",
  "receiver/ManagedReceiver",
  "receiver/OrderReceiver",
  "receiver/PinnedReceiver",
  "receiver/PinnedReceiverPermits",
  "records/RecordVerifier",
  "service/Multicall3",
  "service/RelayApprovalProxyV2_1",
  "service/RelayApprovalProxyV3",
  "service/RelayDepository",
  "service/RelayReceiver",
  "service/RelayRouterV2_1",
  "service/RelayRouterV3",
  "service/currencies/LocalTether",
  "service/currencies/LocalToken",
  "service/currencies/LocalVault",
  "service/currencies/LocalWrappedNative",
];

export const ABI_FOLDER = "src/abi";

function readAbi(source: string): readonly unknown[] {
  const path = join("artifacts", "contracts", `${source}.sol`, `${basename(source)}.json`);
  let artifact: { abi: readonly unknown[] };
  try {
    artifact = JSON.parse(readFileSync(join(root, path), "utf8"));
  } catch (cause) {
    throw new Error(`No ABI of ${source}: ${path} cannot be read. Run "npm run contracts:build".`, { cause });
  }
  return artifact.abi;
}

async function format({ path, text }: SourceFile): Promise<SourceFile> {
  const biome = join("@biomejs", "biome", "bin", "biome");
  const { ok, stdout, output } = await runTool(biome, ["format", `--stdin-file-path=${path}`], text);
  if (!ok) throw new Error(`Biome cannot format ${path}:\n${output}`);
  return { path, text: stdout };
}

/** What `src/abi` has to hold for the artifacts as they are. */
export async function generateAbiFiles(sources = PUBLISHED_CONTRACTS): Promise<SourceFile[]> {
  const contracts = sources.map((source) => basename(source));
  const modules = sources.map((source) => ({
    path: `${ABI_FOLDER}/${basename(source)}.ts`,
    text: renderAbi(basename(source), readAbi(source)),
  }));
  return await Promise.all(
    [...modules, { path: `${ABI_FOLDER}/index.ts`, text: renderAbiIndex(contracts) }].map(format),
  );
}

/** Replaces the folder's content, so that a contract that is no longer listed leaves no file behind. */
export function writeAbiFiles(files: readonly SourceFile[]): void {
  const folder = join(root, ABI_FOLDER);
  mkdirSync(folder, { recursive: true });
  const kept = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name));
  for (const { path, text } of files) writeFileSync(join(root, path), text);
}

if (import.meta.main) {
  const files = await generateAbiFiles();
  writeAbiFiles(files);
  process.stdout.write(`${files.length} files written to ${ABI_FOLDER}\n`);
}
