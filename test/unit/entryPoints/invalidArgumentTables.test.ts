import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readEntryPoints } from "../../../scripts/checks/entryPoints.ts";
import { invalidArgumentTables } from "../../helpers/invalidArguments.ts";

const unitTests = join(import.meta.dirname, "..");

/** Functions without a row, each with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  defineConfig: "it returns what it takes: bad configurations are refused in test/unit/cli/settings",
  forgetPayments: "it takes nothing",
  nativeBalance: "it takes nothing",
  quoteSimulator:
    "it takes a client of viem as it is; what it simulates comes from the proof, not from callers",
  replayRun: "it starts an emulator: bad recordings are refused in test/integration",
  startChains: "it starts chains: bad settings are refused in test/integration",
  startEmulator: "it starts servers: bad settings are refused in test/integration",
  startTestEmulator: "it starts an emulator with the settings of startEmulator",
  trustOfEmulator: "it takes `emulator.info` as it is, with its type",
  waybillMatchers: "it takes chai as it is",
};

/** Functions that have a row in a table of arguments. */
function namesOfRows(): Set<string> {
  const texts = globSync(invalidArgumentTables, { cwd: unitTests }).map((path) =>
    readFileSync(join(unitTests, path), "utf8"),
  );
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^ {2}(\w+): \[/gm)].map(([, name = ""]) => name)),
  );
}

describe("functions of the entry points", () => {
  it("are all tested with invalid arguments", () => {
    const functions = readEntryPoints().flatMap(({ exports }) =>
      exports.flatMap(({ kind, name }) => (kind === "function" ? [name] : [])),
    );
    const rows = namesOfRows();
    const missing = [...new Set(functions)].filter((name) => !rows.has(name) && !(name in elsewhere));
    expect(functions).to.have.length.greaterThan(90);
    expect(missing).to.deep.equal([]);
  });
});
