import type { Problem } from "../Problem.ts";
import type { ImportEdge } from "./importGraph.ts";

/** One import as an arrow between two nodes: its two files, or two folders that hold them. */
type Arrow = { from: string; to: string; edge: ImportEdge };
type Graph = Map<string, Arrow[]>;

/** Rejects files that import themselves through other files: they cannot be read, tested or moved alone. */
export function checkFileCycles(edges: readonly ImportEdge[]): Problem[] {
  const arrows = ownImports(edges).map((edge) => ({ from: edge.from, to: edge.target, edge }));
  return findCycles(arrows).map((cycle) => ({
    file: cycle[0]?.from ?? "",
    message: `imports itself by way of ${cycle.map(({ to }) => to).join(" → ")}`,
  }));
}

/**
 * Rejects folders that import themselves through their neighbours, at any depth.
 *
 * An import counts where its two paths part: `a/b/x.ts` that imports `a/c/d/y.ts` leads from `a/b` to `a/c`, so a
 * cycle is found even when no two of its imports share a subfolder. A file is a neighbour of the folders next to it.
 */
export function checkFolderCycles(edges: readonly ImportEdge[]): Problem[] {
  return findCycles(ownImports(edges).map(toNeighbours))
    .filter((cycle) => cycle.some(({ from, edge }) => from !== edge.from))
    .map((cycle) => ({
      file: cycle[0]?.edge.from ?? "",
      line: cycle[0]?.edge.line,
      message: `closes a cycle of folders: ${cycle.map(renderArrow).join(", ")}`,
    }));
}

const ownImports = (edges: readonly ImportEdge[]): ImportEdge[] =>
  edges.filter(({ isPackage }) => !isPackage);

function toNeighbours(edge: ImportEdge): Arrow {
  const [own, other] = [edge.from.split("/"), edge.target.split("/")];
  const parting = own.findIndex((part, index) => part !== other[index]);
  const upTo = parting < 0 ? own.length : parting + 1;
  return { from: own.slice(0, upTo).join("/"), to: other.slice(0, upTo).join("/"), edge };
}

const renderArrow = ({ from, to, edge }: Arrow): string => `${from} → ${to} (${edge.from}:${edge.line})`;

/**
 * Shortest cycles that share no node. One import often closes dozens of cycles, and fixing it opens them all, so cycles that
 * share a node with an earlier one are skipped.
 */
function findCycles(arrows: readonly Arrow[]): Arrow[][] {
  const graph: Graph = Map.groupBy(arrows, ({ from }) => from);
  const reported = new Set<string>();
  const cycles: Arrow[][] = [];
  for (const start of [...graph.keys()].sort()) {
    const cycle = shortestCycle(graph, start);
    // No cycle contains this node, so later searches skip it.
    if (cycle.length === 0) graph.delete(start);
    else if (!cycle.some(({ from }) => reported.has(from))) {
      cycles.push(cycle);
      for (const { from } of cycle) reported.add(from);
    }
  }
  return cycles;
}

/** Searches breadth first, so that the first path back to the start is a shortest one; empty without a cycle. */
function shortestCycle(graph: Graph, start: string): Arrow[] {
  const reached = new Set<string>();
  const ways: Arrow[][] = [[]];
  for (const way of ways) {
    for (const arrow of graph.get(way.at(-1)?.to ?? start) ?? []) {
      if (reached.has(arrow.to)) continue;
      reached.add(arrow.to);
      if (arrow.to === start) return [...way, arrow];
      ways.push([...way, arrow]);
    }
  }
  return [];
}
