/**
 * `npm run audit:contracts`: lint, licences, Slither, proofs and mutants of the contracts, fuzzing under forge, and packages built
 * twice. Writes the figures into `docs/reference/assurance.md`. `-- --fast` leaves out what takes long: fuzzing, packages, the mutants of
 * proofs, and all but twelve of the contracts' mutants.
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
const common = [
  lane("Slither", "slither.ts"),
  lane("lint and licences", "../check.ts", "--only", "solhint,licences"),
];
// Before the lanes, two of which would install into the same folders.
installTools();
const code = await runLanes(
  values.fast
    ? [
        lane("proofs", "proofs.ts", "--without-mutants"),
        ...common,
        lane("twelve mutants", "mutation.ts", "--count", "12"),
      ]
    : [
        lane("mutants", "mutation.ts", "--count", "300", "--figures"),
        lane("proofs", "proofs.ts"),
        lane("fuzzing", "fuzz.ts"),
        ...common,
        lane("packages", "packages.ts"),
      ],
  2,
);
process.exitCode = code;
