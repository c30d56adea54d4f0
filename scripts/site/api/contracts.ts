/** A page for each published contract, interface and library, from the compiler's syntax tree: NatSpec and signatures. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceFile } from "../../checks/Problem.ts";
import { block, page, prose } from "./page.ts";

/** The part of a node of solc's syntax tree that pages show. */
type Node = {
  nodeType: string;
  /** Start and length in bytes, and the file's number. */
  src: string;
  name?: string;
  kind?: string;
  visibility?: string;
  contractKind?: string;
  documentation?: { text: string };
  returnParameters?: { parameters: readonly { name: string }[] };
  baseContracts?: readonly { baseName: { name: string } }[];
  body?: { src: string } | null;
  nodes?: readonly Node[];
};

const SECTIONS: readonly (readonly [title: string, isOfIt: (node: Node) => boolean])[] = [
  ["Constructor", ({ kind, nodeType }) => nodeType === "FunctionDefinition" && kind === "constructor"],
  [
    "Functions",
    (node) => node.nodeType === "FunctionDefinition" && node.kind !== "constructor" && isShown(node),
  ],
  ["Fields", ({ nodeType, visibility }) => nodeType === "VariableDeclaration" && visibility === "public"],
  ["Events", ({ nodeType }) => nodeType === "EventDefinition"],
  ["Errors", ({ nodeType }) => nodeType === "ErrorDefinition"],
  ["Types", ({ nodeType }) => nodeType === "StructDefinition" || nodeType === "EnumDefinition"],
];

/** Libraries and the kit are called by internal functions; hooks are overridden. */
const isShown = ({ name = "", visibility }: Node): boolean =>
  visibility === "external" || visibility === "public" || (visibility === "internal" && name !== "");

export function renderContracts(root: string, repository: string): SourceFile[] {
  const published = readPublished(root);
  const names = new Set(published.flatMap(({ ast }) => contractsOf(ast).map(({ name = "" }) => name)));
  return published.flatMap(({ ast, bytes, path }) => {
    const file = path.replace("project/", "");
    return contractsOf(ast).map((contract) => {
      const bases = (contract.baseContracts ?? []).map(({ baseName: { name } }) =>
        names.has(name) ? `[${name}](${name}.md)` : `\`${name}\``,
      );
      const body = [
        `${contract.contractKind} · [${file}](${repository}/blob/main/${file})`,
        "",
        ...natspec(contract),
        ...(bases.length === 0 ? [] : [`Inherits ${bases.join(", ")}.`, ""]),
        ...SECTIONS.flatMap(([title, isOfIt]) => {
          const nodes = (contract.nodes ?? []).filter(isOfIt);
          return nodes.length === 0
            ? []
            : [`## ${title}`, "", ...nodes.flatMap((node) => render(node, bytes))];
        }),
      ];
      return page(`contracts/${contract.name}`, contract.name ?? "", body);
    });
  });
}

type Artifact = { readonly buildInfoId: string; readonly inputSourceName: string };

/** The published sources, each from the build of its artifacts: a build compiles only what changed since the one before. */
function readPublished(root: string): readonly { ast: Node; bytes: Buffer; path: string }[] {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
  const artifacts: readonly Artifact[] = globSync("artifacts/contracts/**/*.json", { cwd: root }).map(read);
  return [...Map.groupBy(artifacts, ({ buildInfoId }) => buildInfoId)].flatMap(([id, built]) => {
    const { sources }: { sources: Record<string, { ast: Node }> } = read(
      `artifacts/build-info/${id}.output.json`,
    ).output;
    const texts: Record<string, { content: string }> = read(`artifacts/build-info/${id}.json`).input.sources;
    const paths = new Set(built.map(({ inputSourceName }) => inputSourceName));
    return [...paths]
      .filter((path) => /^project\/contracts\/(?!mocks|service|examples)/.test(path))
      .map((path) => ({
        ast: sources[path]?.ast ?? { nodeType: "SourceUnit", src: "" },
        bytes: Buffer.from(texts[path]?.content ?? ""),
        path,
      }));
  });
}

const contractsOf = ({ nodes = [] }: Node): readonly Node[] =>
  nodes.filter(({ nodeType }) => nodeType === "ContractDefinition");

function render(node: Node, bytes: Buffer): string[] {
  const [start = 0, length = 0] = node.src.split(":").map(Number);
  const end = node.body ? Number(node.body.src.split(":")[0]) : start + length;
  const text = bytes.subarray(start, end).toString("utf8").trim().replace(/;$/, "");
  const title = node.name || node.kind || "";
  return [
    ...(node.kind === "constructor" ? [] : [`### ${title}`, ""]),
    ...block("solidity", text.replace(/\n {4}/g, "\n")),
    ...natspec(node),
  ];
}

/** The sentences above a declaration: notice and remarks, then parameters and results. */
function natspec({ documentation, returnParameters }: Node): string[] {
  const results = returnParameters?.parameters.map(({ name }) => name) ?? [];
  const tags = (documentation?.text ?? "")
    .split(/(?:^|\n)\s*@(?=\w)/)
    .map((part) => part.replace(/^[ \t]+/gm, "").trim())
    .filter((part) => part !== "");
  const lines = tags.map((tag) => {
    const [, name = "", rest = ""] = /^([\w:-]+) ?(.*)$/s.exec(tag) ?? [];
    if (name === "title" || name === "author") return [];
    if (name === "notice" || name === "dev") return [prose(withApartTables(rest)), ""];
    if (name === "inheritdoc") return [`As in \`${rest}\`.`, ""];
    const [, parameter = "", text = ""] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
    const isNamed = name === "param" || results.includes(parameter);
    if (isNamed) return [`- \`${parameter}\` ${prose(oneLine(text))}`];
    if (name === "return") return [`- *returns* ${prose(oneLine(rest))}`];
    return name.startsWith("custom:") ? [] : [prose(tag), ""];
  });
  return lines.length === 0 ? [] : [...lines.flat(), ""];
}

/** Markdown wants an empty line before a table and after it. */
const withApartTables = (text: string): string =>
  text.replace(/^([^|\n].*)\n(?=\|)/gm, "$1\n\n").replace(/^(\|.*)\n(?=[^|\n])/gm, "$1\n\n");

const oneLine = (text: string): string => text.replace(/\s+/g, " ");
