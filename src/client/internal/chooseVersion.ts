import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";

/**
 * The `version` of an endpoint that has several. It is optional only where the answer may be of the default version: a type
 * argument alone cannot name another answer than the requested one.
 */
export type VersionChoice<Version extends string, Default extends string> = Default extends Version
  ? { version?: Version | undefined }
  : { version: Version };

/**
 * Picks what belongs to the requested version of an endpoint.
 *
 * @param choices What differs, by version.
 * @throws InvalidParameterError when there is no such version.
 *
 * @example
 * chooseVersion({ v1: "/requests", v2: "/requests/v2" }, "v2"); // "/requests/v2"
 */
export function chooseVersion<Choices extends object, Version extends keyof Choices>(
  choices: Choices,
  version: Version,
): Choices[Version] {
  const versions = Object.keys(choices);
  // Never by `in`: `toString` is no version.
  if (versions.includes(version as string)) return choices[version];
  throw new InvalidParameterError({ parameter: "version", reason: `neither ${versions.join(" nor ")}` });
}
