import * as z from "zod";
import { printable } from "../../src/errors/printable.ts";

/** A fault as the emulator answers it. */
export const faultSchema = z.looseObject({
  fired: z.int(),
  id: z.string(),
  spec: z.looseObject({ kind: z.string() }),
});

export const faultsSchema = z.looseObject({ faults: z.array(faultSchema) });

/** A fault in one line: id, kind, fields, and how often it fired. */
export function faultText({ fired, id, spec: { kind, ...fields } }: z.output<typeof faultSchema>): string {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return printable([id, kind, ...shown, `fired ${fired}`].join("  "));
}
