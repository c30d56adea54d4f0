/** Converts a value to text for comparison. Lower-cases hexadecimal; addresses of other VMs keep their letter case. */
export function normalizeForComparison(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /^0x[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text;
}
