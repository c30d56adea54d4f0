import { readFileSync } from "node:fs";
import { checkParameters, type DeploymentParameters } from "../src/deployment/parameters.ts";

/**
 * Validates parameters before any transaction.
 *
 * @param value Content of a parameter file.
 * @param source Its name for the error.
 * @throws {Error} With every invalid value and its reason.
 */
export function parseParameters(value: unknown, source = "parameters"): DeploymentParameters {
  const checked = checkParameters(value);
  if ("parameters" in checked) return checked.parameters;
  const lines = checked.mistakes.map((mistake) => `  ${mistake}`);
  throw new Error(`${source} cannot be deployed with:\n${lines.join("\n")}`);
}

/**
 * Reads and validates a parameter file.
 *
 * @throws {Error} As `parseParameters`, or for a missing file or invalid JSON.
 */
export function readParameters(file: string | URL): DeploymentParameters {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON.`, { cause });
  }
  return parseParameters(value, String(file));
}
