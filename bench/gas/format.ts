/** Formats a number with thousands separators; a dash for none. */
export function formatGas(value: number | undefined): string {
  return value === undefined ? "—" : value.toLocaleString("en");
}

/** Formats a number with a sign. */
export function formatDifference(value: number): string {
  return value > 0 ? `+${formatGas(value)}` : formatGas(value);
}

/** Formats the excess over the floor, in percent. */
export function formatShare(ours: number, floor: number | undefined): string {
  if (floor === undefined) return "—";
  const share = (ours / floor - 1) * 100;
  return `${share < 0 ? "" : "+"}${share.toFixed(1)} %`;
}
