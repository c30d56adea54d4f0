/**
 * Writes `artifacts/Permit2.json`: the code of Permit2 (MIT), as the emulator puts it on its chains. Its package is a large
 * development dependency; the published package contains only this file.
 *
 * The published code was deployed on a chain with the id of a local one, at another address, and keeps the domain separator of
 * both. The script replaces them by those of production; on other chains the code computes its own separator.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { domainSeparator } from "viem";
import { root } from "../checks/runTool.ts";

const SOURCE = "@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol";
/** Where the code compares the chain with the one it was deployed on, and the domain separator that it keeps for that chain. */
const DEPLOYED_ON = /(?<=467f)[0-9a-f]{64}(0361[0-9a-f]{4}577f)[0-9a-f]{64}/g;

/** The separator and the chain of production. */
const production = {
  chain: "1".padStart(64, "0"),
  separator: domainSeparator({
    domain: { chainId: 1, name: "Permit2", verifyingContract: "0x000000000022D473030F116dDEE9F6B43aC78BA3" },
  }).slice(2),
};

/** The code, without `0x`, from the Solidity source that carries it. */
export function permit2Code(source: string): string {
  const published = /hex"([0-9a-f]+)"/.exec(source)?.[1] ?? "";
  if (published.match(DEPLOYED_ON)?.length !== 1) {
    throw new Error("The published code of Permit2 is not what it was.");
  }
  return published.replace(DEPLOYED_ON, `${production.chain}$1${production.separator}`);
}

if (import.meta.main) {
  const source = readFileSync(createRequire(import.meta.url).resolve(SOURCE), "utf8");
  // At the top level: Hardhat removes artifact folders without a source in the project.
  const folder = join(root, "artifacts");
  mkdirSync(folder, { recursive: true });
  const artifact = {
    contractName: "Permit2",
    deployedBytecode: `0x${permit2Code(source)}`,
    license: "MIT",
    sourceName: "@uniswap/permit2/src/Permit2.sol",
  };
  writeFileSync(join(folder, "Permit2.json"), `${JSON.stringify(artifact, null, 2)}\n`);
}
