import type { Breakdown } from "./breakDown.ts";
import type { Measured } from "./measureGas.ts";
import { type GasRow, gasRows } from "./rows.ts";

/** One thing that gas was paid for, beside what the floor pays for it. */
export type ComparedItem = { readonly item: string; readonly gas: number; readonly floorGas: number };

/** A path's gas item by item. */
export type Comparison = {
  readonly name: string;
  readonly path: string;
  /** Of the hand-written contract that the items are compared with, where there is one. */
  readonly floor: number | undefined;
  readonly gas: number;
  readonly items: readonly ComparedItem[];
};

/** What each path's gas paid for, dearest first, and what its floor pays for the same. */
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

/** All that was paid for, refunds subtracted. */
export function sumOf(breakdown: Breakdown): number {
  return Object.values(breakdown).reduce((sum, gas) => sum + gas, 0);
}
