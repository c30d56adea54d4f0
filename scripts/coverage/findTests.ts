import type { SourceFile } from "../checks/Problem.ts";
import { memberOf, membersOf, nameOf, parseSolidity, placeOf } from "./syntaxTree.ts";

/** A test function of a Solidity test, and the position after its opening brace. */
export type SolidityTest = { readonly name: string; readonly start: number };

/** Finds the functions that the test runner runs by their names; invariants act through other functions. */
export function findTests({ path, text }: SourceFile): SolidityTest[] {
  const tree = parseSolidity([{ path, text }]).get(path);
  if (tree === undefined) throw new Error(`The compiler did not parse ${path}.`);
  return membersOf(tree, "nodes")
    .flatMap((contract) => membersOf(contract, "nodes"))
    .filter((node) => node.nodeType === "FunctionDefinition" && nameOf(node).startsWith("test"))
    .flatMap((definition) => {
      const body = memberOf(definition, "body");
      return body === undefined ? [] : [{ name: nameOf(definition), start: placeOf(body, text).start + 1 }];
    });
}
