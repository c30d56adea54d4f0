/**
 * Rule: Solidity imports follow the layers of the design, and list imported names.
 *
 * Receivers and proxies import records, libraries and interfaces; the guard imports libraries and interfaces; examples import
 * records and interfaces; the service's stand-ins import interfaces. Only tests import stand-ins and mocks. No cycles.
 * Published contracts use Solady; OpenZeppelin's tokens serve stand-ins, mocks and tests.
 */

import { lineAt, type Problem, type SourceFile } from "../Problem.ts";
import { checkFileCycles } from "./importCycles.ts";
import { type ImportEdge, packageName, solidityImports } from "./importGraph.ts";

type Layer = { folders: readonly string[]; packages: readonly string[] };

const SOLADY = "solady";
const OPENZEPPELIN = "@openzeppelin/contracts";

/** Allowed imports of each folder of `contracts`, besides itself. */
const LAYERS: Record<string, Layer> = {
  // Structs in interfaces are declared where they are hashed.
  interfaces: { folders: ["records"], packages: [] },
  libraries: { folders: ["interfaces"], packages: [SOLADY] },
  records: { folders: ["interfaces", "libraries"], packages: [SOLADY] },
  guard: { folders: ["interfaces", "libraries"], packages: [SOLADY] },
  receiver: { folders: ["interfaces", "libraries", "records"], packages: [SOLADY] },
  proxy: { folders: ["interfaces", "libraries", "records"], packages: [SOLADY] },
  examples: { folders: ["interfaces", "records"], packages: [SOLADY] },
  service: { folders: ["interfaces"], packages: [SOLADY, OPENZEPPELIN] },
  mocks: {
    folders: ["examples", "interfaces", "libraries", "records", "receiver", "proxy", "service"],
    packages: [SOLADY, OPENZEPPELIN],
  },
};

function checkEdge({ from, target, isPackage }: ImportEdge): string | undefined {
  const own = from.split("/")[1] ?? "";
  const layer = LAYERS[own];
  if (layer === undefined) return `contracts/${own} has no place in the layers: add it to LAYERS`;
  if (isPackage) {
    const name = packageName(target);
    if (layer.packages.includes(name)) return undefined;
    return `contracts/${own} may import ${layer.packages.join(", ") || "no package"}, not ${name}`;
  }
  const other = target.startsWith("contracts/") ? (target.split("/")[1] ?? "") : target;
  if (other === own || layer.folders.includes(other)) return undefined;
  const allowed = [own, ...layer.folders].map((folder) => `contracts/${folder}`).join(", ");
  return `contracts/${own} may import ${allowed}, not ${target}`;
}

function findUnnamedImports({ path, text }: SourceFile): Problem[] {
  return [...text.matchAll(/^import\s+(?:["']|\*)/gm)].map(({ index }) => ({
    file: path,
    line: lineAt(text, index),
    message: 'imports are named: import {X} from "…"',
  }));
}

export function checkSolidityImports(files: readonly SourceFile[]): Problem[] {
  const own = files.filter(({ path }) => path.startsWith("contracts/"));
  const edges = own.flatMap(solidityImports);
  const broken = edges.flatMap((edge) => {
    const message = checkEdge(edge);
    return message === undefined ? [] : [{ file: edge.from, line: edge.line, message }];
  });
  return [...broken, ...checkFileCycles(edges), ...files.flatMap(findUnnamedImports)];
}
