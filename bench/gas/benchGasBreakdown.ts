import type { Report } from "../Report.ts";
import { compareWithFloor } from "./compareWithFloor.ts";
import { formatDifference, formatGas } from "./format.ts";
import { measureGas } from "./measureGas.ts";

/** Breaks the gas of every path down by item. The items of a path add up to its gas. */
export async function benchGasBreakdown(): Promise<Report> {
  const comparisons = compareWithFloor(await measureGas());
  return {
    header: ["what the gas paid for", "floor", "ours", "over floor"],
    rows: comparisons.flatMap(({ floor, gas, items, path }) => [
      [path, formatGas(floor), formatGas(gas), floor === undefined ? "—" : formatDifference(gas - floor)],
      ...items.map(({ floorGas, gas: ours, item }) => [
        `  ${item}`,
        floor === undefined ? "—" : formatGas(floorGas),
        formatGas(ours),
        floor === undefined ? "—" : formatDifference(ours - floorGas),
      ]),
    ]),
    values: comparisons.map(({ floor = null, gas, items, name, path }) => ({
      name,
      path,
      comparedGas: floor,
      gas,
      items,
    })),
  };
}
