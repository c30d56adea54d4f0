import type { Control } from "../emulator/control/Control.ts";

/** Loads the state that a set-up function has led to; see {@link fixtureLoader}. */
export type FixtureLoader = <Result>(setUp: () => Promise<Result>) => Promise<Result>;

type Loaded = { readonly snapshotId: string; readonly result: unknown };

/**
 * Prepares `loadFixture` for chains, API, clock and faults together. A function runs once, from the state at this call; later
 * loads restore what it led to. A restored state loses the younger ones, so functions that alternate run again.
 *
 * Faults and settings are part of the state, since the database holds them.
 */
export async function fixtureLoader({
  restore,
  snapshot,
  snapshots,
}: Pick<Control, "restore" | "snapshot" | "snapshots">): Promise<FixtureLoader> {
  const start = await snapshot();
  const loaded = new Map<() => Promise<unknown>, Loaded>();
  const isKept = ({ snapshotId }: Loaded) => snapshots().some(({ id }) => id === snapshotId);
  return async <Result>(setUp: () => Promise<Result>): Promise<Result> => {
    const earlier = loaded.get(setUp);
    if (earlier !== undefined && isKept(earlier)) {
      await restore(earlier.snapshotId);
      return earlier.result as Result;
    }
    await restore(start.id);
    const result = await setUp();
    loaded.set(setUp, { result, snapshotId: (await snapshot()).id });
    return result;
  };
}
