import { InvalidArgumentError } from "commander";

/** Parses a port. */
export function readPort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  }
  return Number(value);
}

/** Parses comma-separated ports. */
export function readPorts(value: string): number[] {
  return value.split(",").map(readPort);
}
