import { InvalidArgumentError } from "commander";

/** Parses a delay in milliseconds. */
export function readDelay(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 60_000) {
    throw new InvalidArgumentError("A delay is milliseconds from 0 to 60000.");
  }
  return Number(value);
}
