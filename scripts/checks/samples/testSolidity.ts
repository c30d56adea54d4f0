import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, runTool, type ToolResult } from "../runTool.ts";
import type { Sample } from "./readSamples.ts";

/** From the repository's root. */
export const SOLIDITY_FOLDER = "cache/samples/solidity";

/**
 * Compiles the Solidity blocks and runs the tests among them.
 *
 * A block whose last contract is `Shop` is the file `Shop.sol`, beside those of its page.
 */
export function testSolidity(samples: readonly Sample[]): Promise<ToolResult> {
  const pages = join(root, SOLIDITY_FOLDER, "pages");
  rmSync(pages, { force: true, recursive: true });
  for (const { code, line, page } of samples) {
    const [, name] = [...code.matchAll(/^(?:abstract )?contract (\w+)/gm)].at(-1) ?? [];
    const path = join(pages, page.replace(/\.md$/, ""), `${name ?? `line${line}`}.sol`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  const config = join(root, "scripts", "hardhat", "samples.config.ts");
  const hardhat = join("hardhat", "dist", "src", "cli.js");
  return runTool(hardhat, ["--config", config, "test", "solidity"]);
}
