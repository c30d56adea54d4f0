import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { checkDocumented } from "../../../scripts/checks/documented.ts";
import { listEntryPoints, readEntryPoints } from "../../../scripts/checks/entryPoints.ts";
import { root } from "../../../scripts/checks/runTool.ts";

/** Compiles modules against the sources of the entry points, as a strict app would. Returns the first error of each. */
function compile(codes: readonly string[]): (string | undefined)[] {
  const options: ts.CompilerOptions = {
    allowImportingTsExtensions: true,
    lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    noEmit: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ES2024,
    types: ["node"],
  };
  const files = new Map(codes.map((code, index) => [join(root, `example${index}.ts`), code]));
  const sources = new Map(listEntryPoints().map(({ source, specifier }) => [specifier, join(root, source)]));
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, target, ...more) => {
    const code = files.get(file);
    return code === undefined
      ? getSourceFile(file, target, ...more)
      : ts.createSourceFile(file, code, target);
  };
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  host.resolveModuleNameLiterals = (names, containing, redirected) =>
    names.map(({ text }) => {
      const source = sources.get(text);
      if (source === undefined)
        return ts.resolveModuleName(text, containing, options, host, cache, redirected, ts.ModuleKind.ESNext);
      return { resolvedModule: { extension: ts.Extension.Ts, resolvedFileName: source } };
    });
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].map((file) => {
    const example = program.getSourceFile(file);
    const [error] = [...program.getSyntacticDiagnostics(example), ...program.getSemanticDiagnostics(example)];
    return error && ts.flattenDiagnosticMessageText(error.messageText, "\n");
  });
}

describe("the examples of what the entry points export", () => {
  it("compile in a strict app", () => {
    const codes = [
      ...new Set(readEntryPoints().flatMap(({ exports }) => exports.flatMap(({ examples }) => examples))),
    ];
    expect(codes).to.have.length.above(100);
    const wrong = 'import { svmChainId } from "waybill/svm";\n\nconst text: string = svmChainId;';
    const errors = compile([...codes, wrong]);
    expect(errors.pop()).to.contain("is not assignable to type 'string'");
    const failed = errors.flatMap((error, index) =>
      error === undefined ? [] : [`${codes[index]}\n${error}`],
    );
    expect(failed).to.deep.equal([]);
  }).timeout(120_000);

  it("are there for every function and class, and a sentence for all that is exported", () => {
    expect(checkDocumented(readEntryPoints())).to.deep.equal([]);
  });
});
