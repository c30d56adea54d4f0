/**
 * `npm run audit:contracts`: static analysis of the contracts. Writes the figures into `docs/assurance.md`.
 *
 * Installs Slither from PyPI and forge from npm, in the versions of this folder. Needs Python 3.11 or newer, as `python3`.
 */
import { join } from "node:path";
import { type Lane, runLanes } from "../test/runLanes.ts";

function lane(name: string, script: string, ...parameters: readonly string[]): Lane {
  const file = join(import.meta.dirname, script);
  return { name, command: [process.execPath, "--disable-warning=ExperimentalWarning", file, ...parameters] };
}

process.exitCode = await runLanes([
  lane("lint and licences", "../check.ts", "--only", "solhint,licences"),
  lane("Slither", "slither.ts"),
]);
