import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";

/**
 * Parameter `version` of an endpoint. Optional only if the response type includes the default version, so that a type
 * argument alone cannot select another response type.
 */
export type VersionChoice<Version extends string, Default extends string> = Default extends Version
  ? { version?: Version | undefined }
  : { version: Version };

/**
 * Selects the choice of the requested version.
 *
 * @throws InvalidParameterError for an unknown version.
 */
export function chooseVersion<Choices extends object, Version extends keyof Choices>(
  choices: Choices,
  version: Version,
): Choices[Version] {
  const versions = Object.keys(choices);
  // Not `in`: `toString` is no version.
  if (versions.includes(version as string)) return choices[version];
  throw new InvalidParameterError({ parameter: "version", reason: `neither ${versions.join(" nor ")}` });
}
