import { InvalidArgumentError } from "commander";

/** Parses comma-separated origins, in the format of browsers. */
export function readOrigins(value: string): boolean | readonly string[] {
  if (value === "any" || value === "none") return value === "any";
  const origins = value.split(",");
  if (origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)) return origins;
  throw new InvalidArgumentError("An origin is scheme, host and port, as in http://localhost:3000.");
}
