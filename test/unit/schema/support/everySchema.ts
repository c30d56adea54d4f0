import { readdirSync } from "node:fs";
import type * as z from "zod/mini";

/** A schema of the wire, under the name it is exported by. */
export type NamedSchema = { name: string; schema: z.ZodMiniType };

/** Every schema that a file below `src/schema` exports. */
export async function everySchema(): Promise<NamedSchema[]> {
  const folder = new URL("../../../../src/schema/", import.meta.url);
  const found: NamedSchema[] = [];
  for (const file of readdirSync(folder, { encoding: "utf8", recursive: true })) {
    if (!file.endsWith(".ts")) continue;
    const module: Record<string, unknown> = await import(new URL(file, folder).href);
    for (const [name, value] of Object.entries(module))
      if (isSchema(value)) found.push({ name, schema: value });
  }
  return found;
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
