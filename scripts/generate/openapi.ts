/** Writes `api/openapi.json` from the emulator's routes, their schemas and their sources. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allRoutes } from "../../emulator/http/createApp.ts";
import type { SourceFile } from "../checks/Problem.ts";
import { root } from "../checks/runTool.ts";
import { describeApi } from "../openapi/describeApi.ts";
import { describeProperties } from "../openapi/describeProperties.ts";
import { addExamples } from "../openapi/examples.ts";
import { idleDeps } from "../openapi/idleDeps.ts";

export const OPENAPI_FILE = "api/openapi.json";

/** Generates the document. @throws Error that names what has no description or no example. */
export function generateOpenApi(): SourceFile {
  const { version } = readJson("emulator/package.json");
  const described = describeProperties(
    describeApi(allRoutes(idleDeps), version),
    readJson("scripts/openapi/glossary.json"),
  );
  const { document, problems } = addExamples(described.document, readJson("scripts/openapi/examples.json"));
  const missing = [...described.problems, ...problems];
  if (missing.length > 0) throw new Error(missing.join("\n"));
  return { path: OPENAPI_FILE, text: `${inLines(document, 3)}\n` };
}

/** JSON with a line for each path, schema and example, so that a change shows what it changes. */
function inLines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${inLines(each, depth - 1)}`,
  );
  return `{\n${entries.join(",\n")}\n}`;
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

if (import.meta.main) {
  const { path, text } = generateOpenApi();
  writeFileSync(join(root, path), text);
}
