import { InvalidArgumentError } from "commander";

/** A port as a flag has it. */
export function readPort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  }
  return Number(value);
}

/** Several ports, with commas between them. */
export function readPorts(value: string): number[] {
  return value.split(",").map(readPort);
}
