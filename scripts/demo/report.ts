import { formatUnits } from "viem";

/** Begins a part of the demo. */
export function title(text: string): void {
  console.log(`\n${text}`);
}

/** One line: what, and the number. */
export function fact(name: string, value: string): void {
  console.log(`  ${name.padEnd(26)} ${value}`);
}

/** A failed check, which ends the demo with a non-zero exit code. */
export class CheckFailedError extends Error {
  override readonly name = "CheckFailedError";
}

let passed = 0;

/** Proves a claim, or ends the demo. */
export function check(holds: boolean, claim: string): void {
  if (!holds) throw new CheckFailedError(`This does not hold: ${claim}`);
  passed += 1;
}

/** Number of proven claims. */
export function checksPassed(): number {
  return passed;
}

/** Formats an amount for display, without trailing zeros. */
export function shown(amount: bigint, decimals: number, symbol: string): string {
  const [whole = "0", places = ""] = formatUnits(amount, decimals).split(".");
  const short = places.slice(0, 6).replace(/0+$/, "");
  return `${whole}${short === "" ? "" : `.${short}`} ${symbol}`;
}
