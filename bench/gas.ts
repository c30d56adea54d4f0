import { measureGas } from "./gas/measureGas.ts";
import { gasRows } from "./gas/rows.ts";
import { printTable } from "./table.ts";

/** Gas of the core contracts beside the floor and the best public peer. */
export async function benchGas(): Promise<void> {
  const measured = await measureGas();
  printTable(
    ["gas, steady state", "floor", "best peer", "target", "ours", "over floor"],
    Object.entries(gasRows).map(([name, { floor, path, peer, target }]) => {
      const ours = measured[name] ?? 0;
      const over = floor === undefined ? "–" : `+${((ours / floor - 1) * 100).toFixed(1)} %`;
      return [path, number(floor), number(peer), number(target), number(ours), over];
    }),
  );
}

function number(value: number | undefined): string {
  return value === undefined ? "–" : value.toLocaleString("en");
}
