/**
 * The committed reports of what the packages export: `api/<package>.api.md` by API Extractor, from the built declarations, and
 * `api/schemas.json`, the wire format. A report has one declaration for each name, however many entry points export it.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import * as z from "zod";
import { format } from "./generated.ts";
import type { SourceFile } from "./Problem.ts";
import type { Package } from "./packages.ts";
import { root } from "./runTool.ts";

/** Folder of the reports. */
export const API_FOLDER = "api";

/**
 * Reports the API of a built package.
 *
 * @param folder Folder of the package. The packages that it imports are found from there.
 * @param elided Constants that another committed file describes.
 */
export function reportApi({ manifest }: Package, folder: string, elided: ReadonlySet<string>): SourceFile {
  const path = `${API_FOLDER}/${basename(manifest.name)}.api.md`;
  const entry = join(folder, "entryPoints.d.ts");
  const modules = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === "string"
      ? []
      : [`export * as ${toNamespace(manifest.name, subpath)} from "${target["types"]}";\n`],
  );
  writeFileSync(entry, modules.join(""));
  const reports = join(folder, "report");
  mkdirSync(reports);
  const compilerOptions = { lib: ["es2024", "dom"], module: "nodenext", skipLibCheck: true, strict: true };
  const config = ExtractorConfig.prepare({
    configObject: {
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFileName: basename(path),
        reportFolder: reports,
        reportTempFolder: reports,
      },
      compiler: { overrideTsconfig: { compilerOptions, files: [basename(entry)] } },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      mainEntryPointFilePath: entry,
      messages: { extractorMessageReporting: { default: { logLevel: "none" as never } } },
      newlineKind: "lf",
      projectFolder: folder,
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
  });
  Extractor.invoke(config, {
    messageCallback: (message) => {
      message.handled = true;
    },
  });
  return { path, text: elide(readFileSync(join(reports, basename(path)), "utf8"), elided) };
}

/** `waybill/client` becomes `waybill_client`. */
const toNamespace = (name: string, subpath: string): string =>
  join(name, subpath).replace("@", "").replace(/\W/g, "_");

/** Drops schemas, and the entries of ABIs, which `src/abi` has. */
function elide(report: string, elided: ReadonlySet<string>): string {
  return report
    .split("\n\n")
    .filter((block) => !elided.has(/^(?:\/\/.*\n)*const (\w+): /.exec(block)?.[1] ?? ""))
    .map((block) => block.replace(/^((?:\/\/.*\n)*const \w+Abi: readonly \[)\{[\s\S]*\}\];$/, "$1…];"))
    .join("\n\n");
}

/** The schemas of `src/schema` by name, as JSON Schema with references between them. */
export async function describeSchemas(): Promise<{ file: SourceFile; names: ReadonlySet<string> }> {
  const registry = z.registry<{ id: string }>();
  for (const path of globSync("src/schema/**/*.ts", { cwd: root })) {
    const module: Record<string, unknown> = await import(join(root, path));
    for (const [id, value] of Object.entries(module)) {
      if (id.endsWith("Schema") && value instanceof z.core.$ZodType) registry.add(value, { id });
    }
  }
  const { schemas } = z.toJSONSchema(registry, { io: "input", unrepresentable: "any", uri: (id) => id });
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const described = sorted.map(([id, { $id, $schema, ...schema }]) => [id, schema]);
  const text = JSON.stringify(Object.fromEntries(described));
  return {
    file: await format({ path: `${API_FOLDER}/schemas.json`, text }),
    names: new Set(Object.keys(schemas)),
  };
}
