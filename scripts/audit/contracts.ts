/**
 * `npm run audit:contracts`: lint, licences, Slither, proofs and mutants of the contracts, fuzzing under forge, and packages built
 * twice. Writes the figures into `docs/reference/assurance.md`. `-- --fast` leaves out what takes long: fuzzing, packages, all mutants but twelve.
 *
 * Installs Slither and Halmos from PyPI and forge from npm, in the versions of this folder. Needs Python 3.11 or newer, as `python3`.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Lane, runLanes } from "../test/runLanes.ts";
import { installTools } from "./tools.ts";

function lane(name: string, script: string, ...parameters: readonly string[]): Lane {
  const file = join(import.meta.dirname, script);
  return { name, command: [process.execPath, "--disable-warning=ExperimentalWarning", file, ...parameters] };
}

const { values } = parseArgs({ options: { fast: { type: "boolean", default: false } } });
const fast = [
  lane("proofs", "proofs.ts"),
  lane("Slither", "slither.ts"),
  lane("lint and licences", "../check.ts", "--only", "solhint,licences"),
];
// Before the lanes, two of which would install into the same folders.
installTools();
const code = await runLanes(
  values.fast
    ? [...fast, lane("twelve mutants", "mutation.ts", "--count", "12")]
    : [
        lane("mutants", "mutation.ts", "--count", "300", "--figures"),
        lane("fuzzing", "fuzz.ts"),
        ...fast,
        lane("packages", "packages.ts"),
      ],
  2,
);
process.exitCode = code;
