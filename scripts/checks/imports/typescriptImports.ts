/**
 * Rule: TypeScript imports follow the layers of the design (`layers.ts`), and no folder imports itself through others.
 *
 * The library runs in a browser: it imports only the packages listed here, no emulator, command or Hardhat, and Node modules
 * only in webhooks' adapters. Only entry points are barrels.
 */
import { builtinModules } from "node:module";
import { lineAt, type Problem, type SourceFile } from "../Problem.ts";
import { checkFileCycles, checkFolderCycles } from "./importCycles.ts";
import { type ImportEdge, packageName, typescriptImports } from "./importGraph.ts";
import { LAYERS, PARTS } from "./layers.ts";

const LIBRARY_PACKAGES: readonly string[] = ["viem", "zod"];
/** The console's bundle holds these; Node modules have no place in it. */
const CONSOLE_PACKAGES: readonly string[] = ["preact", "@preact/signals", "viem"];
/** Optional peers, by the folder that needs them. */
const LIBRARY_EXTRA_PACKAGES: Record<string, readonly string[]> = { execute: ["ethers"] };

/** Source files of package.json's `exports`. */
const ENTRY_POINTS =
  /^src\/(?:(?:abi|client|execute|guard|perps|prove|svm|webhooks)\/)?index\.ts$|^(?:emulator|hardhat)\/index\.ts$|^cli\/config\.ts$/;

const isEntryPoint = (path: string): boolean => ENTRY_POINTS.test(path);
const partOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : "");
const folderOf = (path: string): string => path.split("/")[1] ?? "";
const isBuiltin = (name: string): boolean => name.startsWith("node:") || builtinModules.includes(name);

function checkPackage({ from, target }: ImportEdge): string | undefined {
  if (partOf(from) === "console" && !CONSOLE_PACKAGES.includes(packageName(target))) {
    return `console may import the packages ${CONSOLE_PACKAGES.join(", ")}, not ${target}`;
  }
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

function checkLayer(part: string, { from, target }: ImportEdge): string | undefined {
  if (isEntryPoint(from)) return undefined;
  const layers = LAYERS[part];
  if (layers === undefined) return undefined;
  if (isEntryPoint(target)) return "entry points are for users: import the file that owns the name";
  const [own, other] = [folderOf(from), folderOf(target)];
  if (own === other) return undefined;
  // Top-level files compose the folders.
  if (part !== "src" && from === `${part}/${own}`) return undefined;
  const allowed = layers[own];
  if (allowed === undefined) return `${part}/${own} has no place in the layers: add it to layers.ts`;
  if (allowed.includes(other)) return undefined;
  const names = allowed.map((folder) => `${part}/${folder}`).join(", ");
  return `${part}/${own} may import ${names || "nothing"}, not ${part}/${other}`;
}

function checkPart(edge: ImportEdge): string | undefined {
  const [own, other] = [partOf(edge.from), partOf(edge.target)];
  if (own === other) return checkLayer(own, edge);
  // Benchmarks and campaigns share their set-up with tests, which own the helpers.
  const sharesStages = own === "bench" || own === "campaigns";
  if (other === "test" && !(sharesStages && edge.target.startsWith("test/helpers/"))) {
    return "only tests import tests";
  }
  if (other === "test") return undefined;
  const allowed = PARTS[own];
  if (allowed === undefined || allowed.includes(other)) return undefined;
  // An import would copy it into dist/, next to the package's own.
  if (edge.target === "package.json") return 'read it at run time: require("waybill/package.json")';
  return `${own}/ may import ${["itself", ...allowed.map((part) => `${part}/`)].join(", ")}, not ${other}/`;
}

/** Finds barrels, which hide where a name is declared: a re-export outside an entry point. */
function findBarrel({ path, text }: SourceFile): Problem | undefined {
  if (!/^(src|emulator|cli|hardhat)\//.test(path) || isEntryPoint(path)) return undefined;
  const match = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s+)?from\s/m.exec(text);
  if (match === null) return undefined;
  const message = "only the package's entry points re-export: import from the file that owns the name";
  return { file: path, line: lineAt(text, match.index), message };
}

/** Exempts tests, which import any file, and entry points, which re-export from any folder. */
function bindsFolders({ from, target }: ImportEdge): boolean {
  return partOf(from) === partOf(target) && partOf(from) !== "test" && !isEntryPoint(from);
}

export function checkTypescriptImports(files: readonly SourceFile[]): Problem[] {
  const edges = files.flatMap(typescriptImports);
  const broken = edges.flatMap((edge) => {
    const message = edge.isPackage ? checkPackage(edge) : checkPart(edge);
    return message === undefined ? [] : [{ file: edge.from, line: edge.line, message }];
  });
  const cycles = [...checkFileCycles(edges), ...checkFolderCycles(edges.filter(bindsFolders))];
  return [...broken, ...cycles, ...files.flatMap((file) => findBarrel(file) ?? [])];
}
