/**
 * Finds every branch of the deployable contracts. Names it by contract, function and source of the condition, never by line
 * number, so that the name survives edits elsewhere.
 *
 * A condition made of others with `&&`, `||` and `!(…)` is split into its parts. Evaluation stops early, so tests that reach
 * both sides of every part reach both sides of the whole.
 */
import type { SourceFile } from "../checks/Problem.ts";
import {
  childrenOf,
  isNode,
  memberOf,
  membersOf,
  nameOf,
  parseSolidity,
  placeOf,
  type SyntaxNode,
} from "./syntaxTree.ts";

/** What a condition can be, and how often a loop can run. */
export const CONDITION_SIDES = ["true", "false"] as const;
export const LOOP_SIDES = ["none", "one", "many"] as const;

export type Branch = {
  readonly file: string;
  readonly contract: string;
  /** Includes the parameter types for an overloaded function. */
  readonly function: string;
  /** Source with collapsed white space; followed by `#2` for a repeated condition. */
  readonly condition: string;
  readonly sides: readonly string[];
  /** The variable that counts a loop's rounds from zero. */
  readonly counter?: string | undefined;
  readonly assembly?: AssemblyPlaces | undefined;
  readonly start: number;
  readonly end: number;
};

/** Positions for reports in inline assembly, which cannot call Solidity. */
type AssemblyPlaces = {
  /** Position after the opening brace of the whole block. */
  readonly block: number;
  /** Positions after the opening brace of each `switch` case, in the order of its sides. */
  readonly cases: readonly number[];
  /** Position of the function's `pure`, which reporting assembly violates. */
  readonly pure?: { readonly start: number; readonly end: number } | undefined;
};

type Found = Omit<Branch, "file" | "contract" | "function">;

export function branchKey({ contract, function: name, condition }: Branch): string {
  return `${contract}.${name}: ${condition}`;
}

export function findBranches(files: readonly SourceFile[]): Branch[] {
  const trees = parseSolidity(files);
  return files.flatMap(({ path, text }) => {
    const tree = trees.get(path);
    if (tree === undefined) throw new Error(`The compiler did not parse ${path}.`);
    return membersOf(tree, "nodes")
      .filter(({ nodeType }) => nodeType === "ContractDefinition")
      .flatMap((contract) => branchesOfContract(path, text, contract));
  });
}

function branchesOfContract(file: string, text: string, contract: SyntaxNode): Branch[] {
  const functions = membersOf(contract, "nodes").filter(
    ({ nodeType }) => nodeType === "FunctionDefinition" || nodeType === "ModifierDefinition",
  );
  const names = functions.map(plainName);
  return functions.flatMap((definition) => {
    const plain = plainName(definition);
    const isOverloaded = names.filter((name) => name === plain).length > 1;
    const name = isOverloaded ? `${plain}(${parameterTypes(definition, text)})` : plain;
    const seen = new Map<string, number>();
    return branchesBelow(definition, text).map((found): Branch => {
      const times = (seen.get(found.condition) ?? 0) + 1;
      seen.set(found.condition, times);
      const condition = times > 1 ? `${found.condition} #${times}` : found.condition;
      const assembly = found.assembly && { ...found.assembly, pure: wordPure(definition, text) };
      return { ...found, file, contract: nameOf(contract), function: name, condition, assembly };
    });
  });
}

function plainName(definition: SyntaxNode): string {
  const kind = definition["kind"];
  return nameOf(definition) !== "" ? nameOf(definition) : String(kind);
}

function parameterTypes(definition: SyntaxNode, text: string): string {
  const list = memberOf(definition, "parameters");
  const parameters = list === undefined ? [] : membersOf(list, "parameters");
  return parameters
    .map((parameter) => memberOf(parameter, "typeName"))
    .map((type) => (type === undefined ? "" : wordsOf(type, text)))
    .join(",");
}

function wordPure(definition: SyntaxNode, text: string): AssemblyPlaces["pure"] {
  const body = memberOf(definition, "body");
  if (definition["stateMutability"] !== "pure" || body === undefined) return undefined;
  const from = placeOf(definition, text).start;
  const [found] = [...text.slice(from, placeOf(body, text).start).matchAll(/\)\s*[\w\s]*\bpure\b/g)];
  if (found === undefined) return undefined;
  const end = from + found.index + found[0].length;
  return { start: end - "pure".length, end };
}

function wordsOf(node: SyntaxNode, text: string): string {
  const { start, end } = placeOf(node, text);
  return text.slice(start, end).replace(/\s+/g, " ");
}

function branchesBelow(node: SyntaxNode, text: string, block?: number): Found[] {
  const innerBlock = node.nodeType === "InlineAssembly" ? startOfBody(memberOf(node, "AST"), text) : block;
  const below = childrenBeyondConditions(node).flatMap((each) => branchesBelow(each, text, innerBlock));
  return [...branchesAt(node, text, innerBlock), ...below];
}

/** Returns the position after the opening brace of a block. */
function startOfBody(node: SyntaxNode | undefined, text: string): number | undefined {
  return node && placeOf(node, text).start + 1;
}

/** The children, past the `&&`, `||` and `!(…)` that are taken apart. */
function childrenBeyondConditions(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).flatMap((child) => (holdsCompound(child) ? partsOf(child) : [child]));
}

function branchesAt(node: SyntaxNode, text: string, block: number | undefined): Found[] {
  const places = block === undefined ? undefined : { block, cases: [] };
  switch (node.nodeType) {
    case "ForStatement":
      return [loopOf(node, text)];
    case "YulSwitch":
      return [switchOf(node, text, block)];
    case "TryStatement":
    case "YulForLoop":
      throw new Error(`No name is known for the branches of "${wordsOf(node, text)}".`);
    default: {
      const decisive = decisiveOf(node);
      return childrenOf(node)
        .filter((child) => child === decisive || holdsCompound(child))
        .flatMap((child) => conditionsOf(child, text, places));
    }
  }
}

/** Returns the condition of a branching node. */
function decisiveOf(node: SyntaxNode): SyntaxNode | undefined {
  if (node.nodeType === "FunctionCall") return requiredBy(node);
  return memberOf(node, "condition");
}

function isCompound({ operator }: SyntaxNode): boolean {
  return operator === "&&" || operator === "||";
}

/** The conditions that a condition is made of. */
function partsOf(node: SyntaxNode): SyntaxNode[] {
  if (isCompound(node)) {
    return [memberOf(node, "leftExpression"), memberOf(node, "rightExpression")].flatMap((each) =>
      each === undefined ? [] : partsOf(each),
    );
  }
  const inner = innerOf(node);
  return inner !== undefined && holdsCompound(inner) ? partsOf(inner) : [node];
}

/** What parentheses or a negation stand around. */
function innerOf(node: SyntaxNode): SyntaxNode | undefined {
  if (node.nodeType === "TupleExpression") return membersOf(node, "components")[0];
  return node["operator"] === "!" ? memberOf(node, "subExpression") : undefined;
}

function holdsCompound(node: SyntaxNode): boolean {
  const inner = innerOf(node);
  return isCompound(node) || (inner !== undefined && holdsCompound(inner));
}

function conditionsOf(node: SyntaxNode, text: string, assembly?: AssemblyPlaces | undefined): Found[] {
  return partsOf(node).map((part) => ({
    condition: wordsOf(part, text),
    sides: CONDITION_SIDES,
    assembly,
    ...placeOf(part, text),
  }));
}

function requiredBy(call: SyntaxNode): SyntaxNode | undefined {
  const callee = memberOf(call, "expression");
  return callee !== undefined && nameOf(callee) === "require" ? membersOf(call, "arguments")[0] : undefined;
}

function loopOf(node: SyntaxNode, text: string): Found {
  const condition = memberOf(node, "condition");
  const start = memberOf(node, "initializationExpression");
  const counter = start === undefined ? undefined : membersOf(start, "declarations")[0];
  if (condition === undefined || counter === undefined) {
    throw new Error(`No counter is known of the loop "${wordsOf(node, text)}".`);
  }
  return {
    condition: `for ${wordsOf(condition, text)}`,
    sides: LOOP_SIDES,
    counter: nameOf(counter),
    ...placeOf(condition, text),
  };
}

function switchOf(node: SyntaxNode, text: string, block: number | undefined): Found {
  const expression = memberOf(node, "expression");
  const cases = membersOf(node, "cases");
  const sides = cases.map(({ value }) => (isNode(value) ? String(value["value"]) : "default"));
  if (expression === undefined || block === undefined || !sides.includes("default")) {
    throw new Error(`No name is known for the other side of "${wordsOf(node, text)}".`);
  }
  const starts = cases.map((each) => startOfBody(memberOf(each, "body"), text) ?? block);
  return {
    condition: `switch ${wordsOf(expression, text)}`,
    sides,
    assembly: { block, cases: starts },
    ...placeOf(expression, text),
  };
}
