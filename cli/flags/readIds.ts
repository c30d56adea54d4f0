import { InvalidArgumentError } from "commander";

/** Parses comma-separated chain ids. */
export function readIds(value: string): number[] {
  return value.split(",").map((id) => {
    if (!/^\d{1,15}$/.test(id)) {
      throw new InvalidArgumentError("A chain id is a whole number, and a comma is between two of them.");
    }
    return Number(id);
  });
}
