/**
 * Rule: TypeScript imports follow the layers of the design.
 *
 * `errors ← internal ← records, schema ← calls ← client ← execute, track`; `webhooks`, `perps` and `svm` stand on
 * `errors`, `internal`, `schema` and `records` only; `abi` stands on `errors` and `internal`. The library imports
 * nothing of the emulator, the command or Hardhat, no Node module outside webhooks' adapters, and no package but the
 * ones named here, so that it runs in a browser. No cycles. No barrels but the package's entry points.
 */
import { builtinModules } from "node:module";
import { checkCycles, type ImportEdge, packageName, typescriptImports } from "./importGraph.ts";
import { lineAt, type Problem, type SourceFile } from "./Problem.ts";

/** What each folder of `src` may import beside itself. */
const LIBRARY_LAYERS: Record<string, readonly string[]> = {
  abi: ["errors", "internal"],
  errors: [],
  internal: ["errors"],
  records: ["errors", "internal"],
  schema: ["errors", "internal"],
  calls: ["errors", "internal", "records", "schema", "abi"],
  client: ["errors", "internal", "records", "schema", "abi", "calls"],
  // Execution ends by following the request, so of these two neighbours it stands on the other.
  execute: ["errors", "internal", "records", "schema", "abi", "calls", "client", "track"],
  track: ["errors", "internal", "records", "schema", "abi", "calls", "client"],
  webhooks: ["errors", "internal", "records", "schema"],
  perps: ["errors", "internal", "records", "schema"],
  svm: ["errors", "internal", "records", "schema"],
};

/** What each part of the repository may import beside itself; parts that are not listed may import anything. */
const PARTS: Record<string, readonly string[]> = {
  src: [],
  emulator: ["src", "artifacts"],
  hardhat: ["src", "emulator"],
  cli: ["src", "emulator"],
};

const LIBRARY_PACKAGES: readonly string[] = ["viem", "zod"];
/** Packages for the one folder that needs each of them: optional peers. */
const LIBRARY_EXTRA_PACKAGES: Record<string, readonly string[]> = { execute: ["ethers"] };

/** The files behind package.json's `exports`, and those that the design plans. */
const ENTRY_POINTS =
  /^src\/(?:(?:abi|client|execute|perps|svm|webhooks)\/)?index\.ts$|^(?:emulator|hardhat)\/index\.ts$/;

const isEntryPoint = (path: string): boolean => ENTRY_POINTS.test(path);
const partOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : "");
const folderOf = (path: string): string => path.split("/")[1] ?? "";
const isBuiltin = (name: string): boolean => name.startsWith("node:") || builtinModules.includes(name);

function checkPackage({ from, target }: ImportEdge): string | undefined {
  if (partOf(from) !== "src") return undefined;
  if (isBuiltin(target)) {
    const allowed = from.startsWith("src/webhooks/adapters/");
    return allowed ? undefined : `the library runs in a browser, so it cannot import ${target}`;
  }
  const name = packageName(target);
  const allowed = [...LIBRARY_PACKAGES, ...(LIBRARY_EXTRA_PACKAGES[folderOf(from)] ?? [])];
  if (allowed.includes(name)) return undefined;
  return `src/${folderOf(from)} may import the packages ${allowed.join(", ")}, not ${name}`;
}

function checkLayer({ from, target }: ImportEdge): string | undefined {
  if (isEntryPoint(from)) return undefined;
  const [own, other] = [folderOf(from), folderOf(target)];
  if (isEntryPoint(target)) return "entry points are for users: import the file that owns the name";
  if (own === other) return undefined;
  const allowed = LIBRARY_LAYERS[own];
  if (allowed === undefined) return `src/${own} has no place in the layers: add it to LIBRARY_LAYERS`;
  if (allowed.includes(other)) return undefined;
  return `src/${own} may import ${allowed.map((folder) => `src/${folder}`).join(", ") || "nothing"}, not src/${other}`;
}

function checkPart(edge: ImportEdge): string | undefined {
  const [own, other] = [partOf(edge.from), partOf(edge.target)];
  if (own === "src" && other === "src") return checkLayer(edge);
  if (own === other) return undefined;
  // Benchmarks and campaigns set the same stages as tests; what they share lives with the tests.
  const sharesStages = own === "bench" || own === "campaigns";
  if (other === "test" && !(sharesStages && edge.target.startsWith("test/helpers/"))) {
    return "only tests import tests";
  }
  if (other === "test") return undefined;
  const allowed = PARTS[own];
  if (allowed === undefined || allowed.includes(other)) return undefined;
  // Imported, it would be copied into dist/, where it would pass for the package's own.
  if (edge.target === "package.json") return 'read it at run time: require("waybill/package.json")';
  return `${own}/ may import ${["itself", ...allowed.map((part) => `${part}/`)].join(", ")}, not ${other}/`;
}

/** A barrel hides where a name lives: a file that only re-exports, or an index that is no entry point. */
function findBarrel({ path, text }: SourceFile): Problem | undefined {
  if (!/^(src|emulator|cli|hardhat)\//.test(path) || isEntryPoint(path)) return undefined;
  const match = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s+)?from\s/m.exec(text);
  if (match === null) return undefined;
  const message = "only the package's entry points re-export: import from the file that owns the name";
  return { file: path, line: lineAt(text, match.index), message };
}

export function checkTypescriptImports(files: readonly SourceFile[]): Problem[] {
  const edges = files.flatMap(typescriptImports);
  const broken = edges.flatMap((edge) => {
    const message = edge.isPackage ? checkPackage(edge) : checkPart(edge);
    return message === undefined ? [] : [{ file: edge.from, line: edge.line, message }];
  });
  const barrels = files.flatMap((file) => findBarrel(file) ?? []);
  return [...broken, ...checkCycles(edges), ...barrels];
}
