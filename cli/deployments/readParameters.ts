import { checkParameters, type DeploymentParameters } from "../../src/deployment/parameters.ts";
import { readJsonFile } from "../settings/readJsonFile.ts";
import { usageError } from "../terminal/CommandError.ts";

/**
 * Reads and validates constructor parameters.
 *
 * @param given A file, or the parameters themselves.
 * @param source Name of the file for errors.
 * @throws CommandError that names every wrong value.
 */
export async function readParameters(
  given: string | object,
  source = "the flags",
): Promise<DeploymentParameters> {
  const checked = checkParameters(typeof given === "string" ? await readJsonFile(given) : given);
  if ("parameters" in checked) return checked.parameters;
  throw usageError(`Parameters of ${source} cannot be deployed: ${checked.mistakes.join("; ")}.`);
}
