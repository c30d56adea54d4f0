/** A chain that listings and `GET /chains` hide unless its UUID is named. */
export type PrivateChain = { readonly id: number; readonly uuid: string };

/** Ids of the private chains that a query does not name. */
export function hiddenChains(
  { privateChains = [] }: { readonly privateChains?: readonly PrivateChain[] | undefined },
  named: readonly string[] = [],
): readonly number[] {
  const shown = new Set(named.map((uuid) => uuid.toLowerCase()));
  return privateChains.filter(({ uuid }) => !shown.has(uuid.toLowerCase())).map(({ id }) => id);
}
