import type { Breakdown } from "./breakDown.ts";
import type { Measured } from "./measureGas.ts";
import { type GasRow, gasRows } from "./rows.ts";

/** A gas item of a path and of its floor. */
type ComparedItem = { readonly item: string; readonly gas: number; readonly floorGas: number };

/** A path's gas item by item. */
export type Comparison = {
  readonly name: string;
  readonly path: string;
  /** Gas of the hand-written floor contract, if there is one. */
  readonly floor: number | undefined;
  readonly gas: number;
  readonly items: readonly ComparedItem[];
};

/** Lists each path's gas items, largest first, next to those of its floor. */
export function compareWithFloor(measured: Readonly<Record<string, Measured>>): readonly Comparison[] {
  return Object.entries(gasRows).map(([name, { floorItems, path }]: [string, GasRow]) => {
    const { breakdown, gas } = measuredOf(measured, name);
    const floor = typeof floorItems === "string" ? measuredOf(measured, floorItems).breakdown : floorItems;
    return { floor: floor && sumOf(floor), gas, items: itemsOf(breakdown, floor ?? {}), name, path };
  });
}

function measuredOf(measured: Readonly<Record<string, Measured>>, name: string): Measured {
  const found = measured[name];
  if (found === undefined) throw new Error(`${name} was not measured.`);
  return found;
}

function itemsOf(ours: Breakdown, floor: Breakdown): readonly ComparedItem[] {
  const items = [...new Set([...Object.keys(ours), ...Object.keys(floor)])];
  return items
    .map((item) => ({ floorGas: floor[item] ?? 0, gas: ours[item] ?? 0, item }))
    .sort((a, b) => b.gas - a.gas || a.item.localeCompare(b.item, "en"));
}

/** Total gas, less refunds. */
export function sumOf(breakdown: Breakdown): number {
  return Object.values(breakdown).reduce((sum, gas) => sum + gas, 0);
}
