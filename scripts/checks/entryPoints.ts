import { join, relative } from "node:path";
import ts from "typescript";
import { readPackages } from "./packages.ts";
import { root } from "./runTool.ts";

/** One name that an entry point exports. */
export type Export = {
  name: string;
  /** Kind of the export. A class counts as a class, although it is both a value and a type. */
  kind: "class" | "constant" | "function" | "type";
  /** Declaring file, from the repository's root. */
  file: string;
  line: number;
  /** The sentences above it. */
  documentation: string;
  /** The code of each of its `@example` tags. */
  examples: readonly string[];
  /** Its other tags, such as `param` and `throws`. */
  tags: readonly { name: string; text: string }[];
  /** Its declarations without bodies of functions. */
  signature: string;
};

/** A module that users import by name. */
export type EntryPoint = {
  /** Import specifier: `waybill/client`. */
  specifier: string;
  /** Its source, from the repository's root. */
  source: string;
  /** In the order of their names. */
  exports: readonly Export[];
};

/** The sources of the modules that the packages export: `waybill/client` and `src/client/index.ts`. */
export function listEntryPoints(): Pick<EntryPoint, "source" | "specifier">[] {
  return readPackages().flatMap(({ manifest }) =>
    Object.entries(manifest.exports).flatMap(([subpath, target]) => {
      if (typeof target === "string") return [];
      const source = String(target["default"])
        .replace(/^\.\/dist\//, "")
        .replace(/\.js$/, ".ts");
      return [{ source, specifier: subpath.replace(/^\./, manifest.name) }];
    }),
  );
}

/** Reads the exports of every entry point from the repository's sources, without types of packages. */
export function readEntryPoints(): EntryPoint[] {
  const entries = listEntryPoints();
  const options: ts.CompilerOptions = {
    noLib: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2024,
    types: [],
  };
  const host = ts.createCompilerHost(options, true);
  host.resolveModuleNameLiterals = (names, containing) =>
    names.map(({ text }) => ({
      resolvedModule: text.startsWith(".")
        ? { extension: ts.Extension.Ts, resolvedFileName: join(containing, "..", text) }
        : undefined,
    }));
  const program = ts.createProgram(
    entries.map(({ source }) => join(root, source)),
    options,
    host,
  );
  const checker = program.getTypeChecker();
  return entries.map((entry) => {
    const file = program.getSourceFile(join(root, entry.source));
    const module = file && checker.getSymbolAtLocation(file);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    const exports = symbols.map((symbol) => readExport(checker, symbol));
    return { ...entry, exports: exports.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  });
}

function readExport(checker: ts.TypeChecker, exported: ts.Symbol): Export {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declaration = symbol.declarations?.[0];
  if (declaration === undefined) throw new Error(`${exported.name} is exported, but declared nowhere`);
  const file = declaration.getSourceFile();
  const tags = symbol
    .getJsDocTags(checker)
    .map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) }));
  return {
    documentation: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    examples: tags.filter(({ name }) => name === "example").map(({ text }) => text),
    file: relative(root, file.fileName),
    kind: isTypeOnly(exported) ? "type" : kindOf(symbol.flags),
    line: file.getLineAndCharacterOfPosition(declaration.getStart()).line + 1,
    name: exported.name,
    signature: (symbol.declarations ?? []).map(signatureOf).join("\n"),
    tags: tags.filter(({ name }) => name !== "example"),
  };
}

/** Whether only the type of a value is exported: `export type { SomeClass }`. */
function isTypeOnly({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(ts.isTypeOnlyImportOrExportDeclaration);
}

function kindOf(flags: ts.SymbolFlags): Export["kind"] {
  if (flags & ts.SymbolFlags.Class) return "class";
  if (flags & ts.SymbolFlags.Function) return "function";
  return flags & ts.SymbolFlags.Value ? "constant" : "type";
}

/** Longest value of a constant that its signature shows. */
const LONGEST_VALUE = 200;

function signatureOf(declaration: ts.Declaration): string {
  const file = declaration.getSourceFile();
  const textOf = (node: ts.Node, end = node.end) => file.text.slice(node.getStart(file), end).trim();
  if (ts.isFunctionLike(declaration) && "body" in declaration && declaration.body !== undefined)
    return withoutExport(textOf(declaration, declaration.body.getStart(file)));
  if (ts.isClassDeclaration(declaration)) return classSignature(declaration);
  if (ts.isVariableDeclaration(declaration)) {
    const { initializer, name, type } = declaration;
    const value = initializer === undefined ? "" : textOf(initializer);
    if (type !== undefined) return `const ${textOf(name)}: ${textOf(type)}`;
    return `const ${textOf(name)}${value.length > LONGEST_VALUE ? "" : ` = ${value}`}`;
  }
  const schemas = ts.isTypeAliasDeclaration(declaration) ? schemasOf(textOf(declaration), file) : [];
  return [withoutExport(textOf(declaration)), ...schemas].join("\n\n");
}

/** The schemas that a type is read from, with the sentences of their fields: those of its own file, and what they spread. */
function schemasOf(type: string, file: ts.SourceFile): string[] {
  const names = new Set([...type.matchAll(/z\.output<typeof (\w+)>/g)].map(([, name]) => name));
  const statements = file.statements.filter(ts.isVariableStatement);
  const textOf = (name: string | undefined): string[] =>
    statements
      .filter(({ declarationList }) =>
        declarationList.declarations.some((each) => each.name.getText(file) === name),
      )
      .map((statement) => withoutExport(statement.getText(file)));
  for (const name of names)
    for (const [, spread] of (textOf(name)[0] ?? "").matchAll(/\.\.\.(\w+)\.shape/g)) names.add(spread);
  return [...names].reverse().flatMap(textOf);
}

/** A class with its public members: fields, and methods without bodies. */
function classSignature(declaration: ts.ClassDeclaration): string {
  const file = declaration.getSourceFile();
  const members = declaration.members.filter(
    (member) =>
      !(ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) &&
      !(member.name !== undefined && ts.isPrivateIdentifier(member.name)),
  );
  const lines = members.map((member) => {
    const body = "body" in member ? (member.body as ts.Node | undefined) : undefined;
    const text = file.text.slice(member.getFullStart(), body?.getStart(file) ?? member.end);
    return `${text.replace(/^\s*\n/, "").trimEnd()}${body === undefined ? "" : ";"}`;
  });
  const heritage = (declaration.heritageClauses ?? []).map((clause) => ` ${clause.getText(file)}`).join("");
  return `class ${declaration.name?.text ?? ""}${heritage} {\n${lines.join("\n")}\n}`;
}

const withoutExport = (text: string): string => text.replace(/^export (?:default )?/, "");
