import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { usageError } from "../terminal/CommandError.ts";
import type { WaybillConfig } from "./parseConfig.ts";

const names = ["waybill.config.ts", "waybill.config.mts", "waybill.config.js", "waybill.config.mjs"];

/** A configuration and the folder that its paths are relative to. */
export type ReadConfig = { readonly config: WaybillConfig; readonly folder: string };

/**
 * Reads the configuration: the named file, or the first one from the working folder upwards.
 *
 * @returns An empty configuration without a file.
 * @throws CommandError for a file that is missing, does not load, or has a wrong field.
 */
export async function readConfig(named: string | undefined, start = process.cwd()): Promise<ReadConfig> {
  const file = named === undefined ? findUpwards(start) : resolve(start, named);
  if (file === undefined) return { config: {}, folder: start };
  if (!existsSync(file)) throw usageError(`There is no configuration file ${named}.`);
  const { parseConfig } = await import("./parseConfig.ts");
  return { config: parseConfig(await load(file), file), folder: dirname(file) };
}

function findUpwards(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).find(existsSync);
    if (found !== undefined || folder === dirname(folder)) return found;
  }
}

async function load(file: string): Promise<unknown> {
  try {
    const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    return loaded.default;
  } catch (cause) {
    const hint =
      /\.m?ts$/.test(file) && !canStripTypes() ? " This Node reads .mjs only: 22.18 reads TypeScript." : "";
    const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : "";
    throw usageError(`${file} does not load: ${reason}.${hint}`, cause);
  }
}

function canStripTypes(): boolean {
  return Boolean((process.features as { typescript?: string | false }).typescript);
}
