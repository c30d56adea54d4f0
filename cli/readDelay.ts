import { InvalidArgumentError } from "commander";

/** Milliseconds, as a flag has them. */
export function readDelay(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError("A delay is milliseconds from 0 to 60000.");
  const delay = Number(value);
  if (delay > 60_000) throw new InvalidArgumentError("A delay is milliseconds from 0 to 60000.");
  return delay;
}
