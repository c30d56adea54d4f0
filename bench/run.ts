/** `npm run bench [-- name …]`: every benchmark, or the ones that are named. */
import { benchEmulator } from "./emulator.ts";
import { benchGas } from "./gas.ts";

const benchmarks: Readonly<Record<string, () => Promise<void>>> = { emulator: benchEmulator, gas: benchGas };

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(", ")}; there are ${Object.keys(benchmarks).join(", ")}.`,
  );
  process.exit(1);
}
for (const [name, bench] of Object.entries(benchmarks)) {
  if (names.length === 0 || names.includes(name)) await bench();
}
