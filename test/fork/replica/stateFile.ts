import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { packageRoot } from "../../../emulator/chains/packageRoot.ts";
import type { AccountState } from "./recordState.ts";

/** Files that the state follows from. */
const inputs = [
  "artifacts/contracts/mocks/Usd?LikeToken.sol/*.json",
  "artifacts/contracts/service/currencies/LocalVault.sol/LocalVault.json",
  "artifacts/{Permit2,UniswapV2}.json",
  "test/fork/protocols/package-lock.json",
  "test/fork/replica/{addresses,build,create,open,place,published,record}*.ts",
];

/** Hash of the inputs: a changed one gives another state file. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const path of inputs.flatMap((input) => globSync(input, { cwd: packageRoot })).sort()) {
    hash.update(`${path}\0`).update(readFileSync(join(packageRoot, path)));
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * Reads the replica's state, which is built at the first use. The file is in `cache`, which is not committed: it holds code
 * under the GPL, and building it takes two seconds.
 */
export async function loadState(): Promise<readonly AccountState[]> {
  const folder = join(packageRoot, "cache");
  const file = join(folder, `replica-${fingerprint()}.json.gz`);
  try {
    return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as readonly AccountState[];
  } catch {
    // Missing, or cut short: built again.
  }
  const { buildReplica } = await import("./buildReplica.ts");
  const state = await buildReplica();
  mkdirSync(folder, { recursive: true });
  // Two processes can build at once: each replaces the file in one step.
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, gzipSync(JSON.stringify(state)));
  renameSync(partial, file);
  return state;
}
