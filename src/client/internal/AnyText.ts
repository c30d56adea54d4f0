import type { Hex } from "viem";

/** Fields of a body with `string` in place of hexadecimal types; validated at run time. */
export type AnyText<Body> = {
  [Name in keyof Body]: Body[Name] extends Hex
    ? string
    : Body[Name] extends Hex | undefined
      ? string | undefined
      : Body[Name];
};
