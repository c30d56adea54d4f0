import { InvalidArgumentError } from "commander";

/** Parses the number of chains. */
export function readCount(value: string): number {
  if (!/^[1-8]$/.test(value)) throw new InvalidArgumentError("There can be 1 to 8 chains.");
  return Number(value);
}
