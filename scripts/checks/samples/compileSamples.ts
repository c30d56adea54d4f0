import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import ts from "typescript";
import { type EntryPoint, listEntryPoints } from "../entryPoints.ts";
import type { Problem } from "../Problem.ts";
import { root } from "../runTool.ts";
import type { Sample } from "./readSamples.ts";

const OPTIONS: ts.CompilerOptions = {
  allowImportingTsExtensions: true,
  lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  noEmit: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ES2024,
  types: ["node", "mocha"],
};

/** The source of a module that users import by name. */
export function sourcesByName(): ReadonlyMap<string, string> {
  const folder = join(root, "ignition", "modules");
  const modules = readdirSync(folder).map(
    (file) => [`waybill/ignition/${parse(file).name}`, join(folder, file)] as const,
  );
  return new Map([
    ...listEntryPoints().map(({ source, specifier }) => [specifier, join(root, source)] as const),
    ...modules,
    ["waybill/ignition/createX", join(root, "ignition", "createX.ts")],
  ]);
}

/** The docstrings' examples of the entry points. */
export const samplesOfExports = (entries: readonly EntryPoint[]): Sample[] =>
  entries.flatMap(({ exports }) =>
    exports.flatMap(({ examples, file, line }) =>
      examples.map((code) => ({ code, isRun: false, line, page: file })),
    ),
  );

/** Compiles each sample as a module of a strict app, which imports the packages by their names. */
export function compileSamples(samples: readonly Sample[]): Problem[] {
  const files = new Map(samples.map((sample, index) => [join(root, `sample${index}.ts`), sample]));
  const sources = sourcesByName();
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file)?.code ?? readFile(file);
  host.getSourceFile = (file, target, ...more) => {
    const sample = files.get(file);
    return sample === undefined
      ? getSourceFile(file, target, ...more)
      : ts.createSourceFile(file, sample.code, target);
  };
  const cache = ts.createModuleResolutionCache(root, (name) => name, OPTIONS);
  host.resolveModuleNameLiterals = (names, containing, redirected) =>
    names.map(({ text }) => {
      const source = sources.get(text);
      if (source === undefined)
        return ts.resolveModuleName(text, containing, OPTIONS, host, cache, redirected, ts.ModuleKind.ESNext);
      return { resolvedModule: { extension: ts.Extension.Ts, resolvedFileName: source } };
    });
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  return [...files].flatMap(([path, { line, page }]) => {
    const file = program.getSourceFile(path);
    const errors = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return errors.map(({ file: at, messageText, start = 0 }) => ({
      file: page,
      line: page.endsWith(".md") ? (at?.getLineAndCharacterOfPosition(start).line ?? 0) + 1 : line,
      message: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
  });
}
