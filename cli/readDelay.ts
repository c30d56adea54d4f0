import { InvalidArgumentError } from "commander";

/** Milliseconds, as a flag has them. */
export function readDelay(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 60_000) {
    throw new InvalidArgumentError("A delay is milliseconds from 0 to 60000.");
  }
  return Number(value);
}
