import { InvalidArgumentError } from "commander";

/** Parses seconds, up to a day, to milliseconds. */
export function readSeconds(value: string): number {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(value) || Number(value) <= 0 || Number(value) > 86_400) {
    throw new InvalidArgumentError("A time is seconds above 0 and up to 86400, such as 30 or 0.5.");
  }
  return Number(value) * 1_000;
}
