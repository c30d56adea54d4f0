import { formatGas, formatShare } from "./gas/format.ts";
import { measureGas } from "./gas/measureGas.ts";
import { type GasRow, gasRows } from "./gas/rows.ts";
import type { Report } from "./Report.ts";

/** Compares the gas of the core contracts with the floor and the best public peer. */
export async function benchGas(): Promise<Report> {
  const measured = await measureGas();
  const rows = Object.entries(gasRows).map(([name, row]: [string, GasRow]) => {
    const gas = measured[name]?.gas;
    if (gas === undefined) throw new Error(`${name} was not measured.`);
    return { name, gas, ...row };
  });
  return {
    header: ["gas, steady state", "floor", "best peer", "target", "ours", "over floor"],
    rows: rows.map(({ floor, gas, path, peer, target }) => [
      path,
      ...[floor, peer, target, gas].map(formatGas),
      formatShare(gas, floor),
    ]),
    values: rows.map(({ name, path, floor = null, peer = null, target = null, gas }) => ({
      name,
      path,
      floorGas: floor,
      bestPeerGas: peer,
      targetGas: target,
      gas,
    })),
  };
}
