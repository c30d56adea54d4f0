/** The part of the compiler's syntax tree that the branch search needs. */
import solc from "solc";
import type { SourceFile } from "../checks/Problem.ts";

/** A node of the compiler's JSON syntax tree; which other members it has depends on `nodeType`. */
export type SyntaxNode = {
  readonly nodeType: string;
  /** Byte offset, byte length and source number, between colons. */
  readonly src: string;
  readonly [member: string]: unknown;
};

type ParserOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly sources?: Readonly<Record<string, { readonly ast: SyntaxNode }>>;
};

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "nodeType" in value && "src" in value;
}

/** Returns the member node of this name; undefined if absent or no node. */
export function memberOf(node: SyntaxNode, member: string): SyntaxNode | undefined {
  const value = node[member];
  return isNode(value) ? value : undefined;
}

/** The nodes of a member that is a list. */
export function membersOf(node: SyntaxNode, member: string): SyntaxNode[] {
  const value = node[member];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function nameOf(node: SyntaxNode): string {
  return typeof node["name"] === "string" ? node["name"] : "";
}

/** Every node directly below this one, in the order of the source. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children = Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return children.filter(isNode).sort((one, other) => startOf(one) - startOf(other));
}

function startOf(node: SyntaxNode): number {
  return Number(node.src.split(":")[0]);
}

/** A node's place in its source, in UTF-16 units: the compiler counts bytes. */
export function placeOf(node: SyntaxNode, text: string): { start: number; end: number } {
  const [start = 0, length = 0] = node.src.split(":").map(Number);
  const bytes = Buffer.from(text, "utf8");
  const before = bytes.subarray(0, start).toString("utf8").length;
  return { start: before, end: before + bytes.subarray(start, start + length).toString("utf8").length };
}

/** Parses sources without resolving their imports. */
export function parseSolidity(files: readonly SourceFile[]): Map<string, SyntaxNode> {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(files.map(({ path, text }) => [path, { content: text }])),
    settings: { stopAfter: "parsing", outputSelection: { "*": { "": ["ast"] } } },
  };
  const output: ParserOutput = JSON.parse(solc.compile(JSON.stringify(input)));
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return new Map(Object.entries(output.sources ?? {}).map(([path, { ast }]) => [path, ast]));
}
