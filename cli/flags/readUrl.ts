import { InvalidArgumentError } from "commander";

/** Parses a URL of http or https. */
export function readUrl(value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new InvalidArgumentError("A URL begins with http:// or https://, as in http://127.0.0.1:4000.");
}
