import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { keyError } from "../terminal/CommandError.ts";
import type { SecretSource } from "./WaybillConfig.ts";

/**
 * Reads a secret from its environment variable or its file, without white space around it.
 *
 * @param name What it is, for the error, which never contains the secret.
 * @throws CommandError for a variable that is not set, and for a file that cannot be read.
 */
export function readSecret(source: SecretSource, folder: string, name: string): string {
  if ("env" in source) {
    const value = process.env[source.env]?.trim() ?? "";
    if (value === "") throw keyError(`The ${name} is missing: the variable ${source.env} is not set.`);
    return value;
  }
  const value = readText(resolve(folder, source.file)).trim();
  if (value === "") throw keyError(`The ${name} is missing: ${source.file} cannot be read or is empty.`);
  return value;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
