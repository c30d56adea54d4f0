import type { Hex } from "viem";

/** The fields of a body with any text where the wire has hexadecimal: it is checked while running. */
export type AnyText<Body> = {
  [Name in keyof Body]: Body[Name] extends Hex
    ? string
    : Body[Name] extends Hex | undefined
      ? string | undefined
      : Body[Name];
};
