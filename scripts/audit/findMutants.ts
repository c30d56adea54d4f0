/** Lists small faults of a contract that its tests have to notice, from the compiler's syntax tree. */
import { lineAt, type SourceFile } from "../checks/Problem.ts";
import {
  childrenOf,
  memberOf,
  membersOf,
  nameOf,
  parseSolidity,
  placeOf,
  type SyntaxNode,
} from "./syntaxTree.ts";

export type Mutant = {
  /** Names the mutant in the list of survivors. Edits elsewhere in the file leave it as it is. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  /** The source of the whole mutated file. */
  readonly text: string;
};

type Place = { readonly start: number; readonly end: number };
/** A replacement of source text, and the place that shows it in context. */
type Edit = Place & { readonly text: string; readonly shown: Place };

/** Pairs that take each other's place. Where `eq` is false, `xor` is true. */
const OPERATORS = "< <=, < >=, > >=, > <=, == !=, && ||, + -, * /, % *, & |, ^ &, << >>, += -=, &= |=, ++ --";
const ASSEMBLY_FUNCTIONS = "add sub, mul div, lt gt, eq xor, and or, shl shr";

/** What conditions become. A loop without end is left out. */
const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ["true", "false"],
  Conditional: ["true", "false"],
  WhileStatement: ["false"],
  ForStatement: ["false"],
  YulIf: ["1", "0"],
};

/** Lists the mutants of a file in the order of its source. */
export function findMutants(file: SourceFile): Mutant[] {
  const tree = parseSolidity([file]).get(file.path);
  if (tree === undefined) throw new Error(`The compiler did not parse ${file.path}.`);
  const seen = new Map<string, number>();
  return mutantsBelow(tree, file, "").map((mutant) => {
    const times = (seen.get(mutant.key) ?? 0) + 1;
    seen.set(mutant.key, times);
    return times === 1 ? mutant : { ...mutant, key: `${mutant.key} #${times}` };
  });
}

function mutantsBelow(node: SyntaxNode, file: SourceFile, scope: string): Mutant[] {
  // A loop without its step runs until its gas ends, and teaches nothing.
  const step = node.nodeType === "ForStatement" ? memberOf(node, "loopExpression") : undefined;
  return childrenOf(node)
    .filter((child) => child !== step)
    .flatMap((child) => {
      const isScope = /^(?:Contract|Function|Modifier)Definition$/.test(child.nodeType);
      const name = nameOf(child) || String(child["kind"]);
      const inner = isScope ? `${scope === "" ? "" : `${scope}.`}${name}` : scope;
      const mutants = findEdits(child, node, file.text).map((edit) => toMutant(edit, inner, file));
      return [...mutants, ...mutantsBelow(child, file, inner)];
    });
}

function toMutant({ start, end, text, shown }: Edit, scope: string, file: SourceFile): Mutant {
  const collapse = (source: string) => source.replace(/\s+/g, " ").trim();
  const before = collapse(file.text.slice(shown.start, shown.end));
  const after = collapse(file.text.slice(shown.start, start) + text + file.text.slice(end, shown.end));
  return {
    key: `${file.path} ${scope}: ${before} -> ${after || "(nothing)"}`,
    file: file.path,
    line: lineAt(file.text, start),
    text: file.text.slice(0, start) + text + file.text.slice(end),
  };
}

function findEdits(node: SyntaxNode, parent: SyntaxNode, source: string): Edit[] {
  const place = placeOf(node, source);
  const replace = ({ start, end }: Place, texts: readonly string[], shown: Place = place): Edit[] =>
    texts.map((text) => ({ start, end, text, shown }));
  const replaceWord = (word: string, from: number, texts: readonly string[]) => {
    const start = source.indexOf(word, from);
    return replace({ start, end: start + word.length }, texts);
  };
  const remove = () => {
    const whole = { start: place.start, end: source.indexOf(";", place.end - 1) + 1 };
    return replace(whole, ["{}"], whole);
  };
  const operator = String(node["operator"]);
  const [first] = childrenOf(node);
  const condition = memberOf(node, "condition");
  if (condition !== undefined) {
    const at = placeOf(condition, source);
    return replace(at, CONDITIONS[node.nodeType] ?? [], at);
  }
  switch (node.nodeType) {
    case "BinaryOperation":
    case "Assignment":
      if (first === undefined) return [];
      return replaceWord(operator, placeOf(first, source).end, partnersOf(operator, OPERATORS));
    case "UnaryOperation": {
      const from = node["prefix"] === true ? place.start : place.end - operator.length;
      return replaceWord(operator, from, /^[!~]$/.test(operator) ? [""] : partnersOf(operator, OPERATORS));
    }
    case "Literal":
    case "YulLiteral":
      if (node["kind"] === "string" || node["subdenomination"]) return [];
      return replace(place, changedLiterals(String(node["value"])), placeOf(parent, source));
    case "ModifierInvocation":
      return replace(place, [""]);
    case "Return":
      return first === undefined ? remove() : [];
    case "RevertStatement":
      // Below an `if`, the condition's `false` is the same mutant.
      return parent.nodeType === "IfStatement" ? [] : remove();
    case "ExpressionStatement":
    case "EmitStatement":
      return remove();
    case "YulExpressionStatement":
    case "YulAssignment":
      return replace(place, ["{}"]);
    case "FunctionCall": {
      // Hashed words that change places.
      if (!/^(?:encode|hash)$/.test(String(memberOf(node, "expression")?.["memberName"]))) return [];
      const words = membersOf(node, "arguments").map((argument) => placeOf(argument, source));
      return words.slice(1).flatMap((word, index) => {
        const before = words[index] ?? word;
        const both = { start: before.start, end: word.end };
        const swapped = `${source.slice(word.start, word.end)}, ${source.slice(before.start, before.end)}`;
        return replace(both, [swapped], both);
      });
    }
    case "YulFunctionCall": {
      const name = nameOf(memberOf(node, "functionName") ?? node);
      const [argument] = membersOf(node, "arguments").map((each) => placeOf(each, source));
      if (name === "iszero" && argument) return replace(place, [source.slice(argument.start, argument.end)]);
      return replaceWord(name, place.start, partnersOf(name, ASSEMBLY_FUNCTIONS));
    }
    default:
      return [];
  }
}

function partnersOf(word: string, pairs: string): string[] {
  return pairs
    .split(", ")
    .map((pair) => pair.split(" "))
    .flatMap((pair) => (pair.includes(word) ? pair.filter((other) => other !== word) : []));
}

/** The other truth value, a decimal number plus one, a hexadecimal one with its last bit turned; none for addresses and texts. */
function changedLiterals(value: string): string[] {
  if (value === "true" || value === "false") return [String(value !== "true")];
  if (/^\d[\d_]*$/.test(value)) return [String(BigInt(value.replaceAll("_", "")) + 1n)];
  if (!/^0x[0-9a-f]+$/i.test(value) || value.length === 42) return [];
  return [value.slice(0, -1) + (Number.parseInt(value.slice(-1), 16) ^ 1).toString(16)];
}
