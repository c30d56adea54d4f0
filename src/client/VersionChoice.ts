/**
 * The `version` of an endpoint that has several. It may be left out where the default is among those that the answer may
 * be of: a type argument alone cannot name another answer than the one that is asked for.
 */
export type VersionChoice<Version extends string, Default extends string> = Default extends Version
  ? { version?: Version | undefined }
  : { version: Version };
