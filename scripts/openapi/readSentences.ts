import { join } from "node:path";
import ts from "typescript";
import { listFiles } from "../checks/repository.ts";
import { root } from "../checks/runTool.ts";

/** Sentences of an object's properties, by name. */
type Sentences = Map<string, string>;

/** Sources of the API's schemas. The emulator's other folders hold schemas of what it stores. */
const sources = /^(?:src\/schema|emulator\/(?:context|control|http|keys|money|scenarios|webhooks))\/.*\.ts$/;
/** Functions that make an object schema. */
const makers = /(?:^wireObject|\b(?:object|strictObject|looseObject|extend|partial|pick|omit))$/;

/** Identifies an object in the sources and at run time: the names of its properties. */
export function shapeKey(names: Iterable<string>): string {
  return [...names].sort().join();
}

/**
 * Reads the docstrings of every object schema's properties from the sources, by {@link shapeKey}: schemas with the same names
 * share them. A property without one has that of the type with the same names.
 *
 * @throws Error for a property with two different docstrings in schemas of the same names.
 */
export function readSentences(): (key: string, name: string) => string | undefined {
  const files = listFiles().filter((path) => sources.test(path));
  const program = ts.createProgram(
    files.map((path) => join(root, path)),
    {
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      module: ts.ModuleKind.NodeNext,
      noEmit: true,
      skipLibCheck: true,
      strict: true,
      target: ts.ScriptTarget.ES2024,
    },
  );
  const checker = program.getTypeChecker();
  const [ofSchemas, ofTypes] = [new Map<string, Sentences>(), new Map<string, Sentences>()];
  for (const path of files) visit(program.getSourceFile(join(root, path)) as ts.SourceFile);
  return (key, name) => ofSchemas.get(key)?.get(name) ?? ofTypes.get(key)?.get(name);

  function visit(node: ts.Node): void {
    if (ts.isTypeLiteralNode(node)) {
      for (const { key, name, text } of docstrings(checker.getTypeAtLocation(node))) {
        const sentences = sentencesOf(ofTypes, key);
        if (!sentences.has(name)) sentences.set(name, text);
      }
    }
    const shape =
      ts.isCallExpression(node) && makers.test(node.expression.getText())
        ? checker.getTypeAtLocation(node).getProperty("shape")
        : undefined;
    for (const { key, name, text } of shape === undefined ? [] : docstrings(checker.getTypeOfSymbol(shape))) {
      const sentences = sentencesOf(ofSchemas, key);
      const other = sentences.get(name) ?? text;
      if (other !== text) throw new Error(`Two docstrings of ${name} among ${key}: "${other}" and "${text}"`);
      sentences.set(name, text);
    }
    ts.forEachChild(node, visit);
  }

  function docstrings(type: ts.Type) {
    const properties = type.getProperties();
    const key = shapeKey(properties.map(({ name }) => name));
    return properties.flatMap((property) => {
      const text = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll(/\s+/g, " ");
      return text === "" ? [] : [{ key, name: property.name, text }];
    });
  }
}

function sentencesOf(all: Map<string, Sentences>, key: string): Sentences {
  const sentences = all.get(key) ?? new Map();
  all.set(key, sentences);
  return sentences;
}
