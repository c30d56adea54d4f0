/** Thousands set apart; a dash where there is none. */
export function formatGas(value: number | undefined): string {
  return value === undefined ? "—" : value.toLocaleString("en");
}

/** The same with a sign. */
export function formatDifference(value: number): string {
  return value > 0 ? `+${formatGas(value)}` : formatGas(value);
}

/** By how much of the floor ours is more. */
export function formatShare(ours: number, floor: number | undefined): string {
  if (floor === undefined) return "—";
  const share = (ours / floor - 1) * 100;
  return `${share < 0 ? "" : "+"}${share.toFixed(1)} %`;
}
