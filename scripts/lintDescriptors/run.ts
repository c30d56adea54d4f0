/**
 * `npm run check:descriptors`: the descriptors pass the linter of ERC-7730's registry, the package `erc7730`.
 *
 * Installs it with pip into a virtual environment below `node_modules`. Needs Python 3.11 or newer, as `python3`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../checks/runTool.ts";
import { CONTRACTS } from "../descriptors/contracts.ts";
import { DOMAINS } from "../descriptors/messages.ts";
import { describedFunctions, descriptorPath } from "../generate/descriptors.ts";
import { installPython, run } from "../test/installApart.ts";

// The package names 3.12 as the only Python; `lint.py` makes up for older ones.
const python = join(installPython("erc7730==1.0.12", "--ignore-requires-python"), "python");
const folder = join(root, "node_modules", ".cache", "descriptors");
mkdirSync(folder, { recursive: true });
const calldata = Object.entries(CONTRACTS).flatMap(([name, contract]) => {
  const abi = join(folder, `${name}.json`);
  const signed = describedFunctions(contract).filter((each) => contract.intents[each.name] !== undefined);
  writeFileSync(abi, JSON.stringify(signed));
  return [join(root, descriptorPath("calldata", name)), abi];
});
const messages = Object.keys(DOMAINS).flatMap((name) => [join(root, descriptorPath("eip712", name)), ""]);
run(python, [join(import.meta.dirname, "lint.py"), ...calldata, ...messages]);
