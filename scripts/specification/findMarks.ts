/**
 * Finds the marks of tests: comments `// @spec <id> …` directly above an `it(…)`, a `describe(…)` or a Solidity test function.
 */
import ts from "typescript";
import { lineAt, type SourceFile } from "../checks/Problem.ts";

/** One mark. */
export type Mark = {
  /** Path of the test, from the repository's root. */
  readonly file: string;
  readonly line: number;
  /** The statements that the test proves. */
  readonly ids: readonly string[];
  /** The test below the mark; undefined if there is none. */
  readonly test: NamedTest | undefined;
};

/** A title as its source has it. */
export type NamedTest = {
  /** A title with "…" for each placeholder, an expression, or the name of a Solidity function. */
  readonly title: string;
  /** Whether `title` is code: an expression or a name. */
  readonly isCode: boolean;
};

const MARK = /^\/\/\s*@spec\b(.*)$/;
const SOLIDITY_MARK = /^[ \t]*(\/\/[ \t]*@spec\b.*)$/gm;
/** A test or invariant, with nothing but comments before it. */
const SOLIDITY_TEST = /^(?:[ \t]*(?:\/\/[^\n]*)?\n)*[ \t]*function ((?:test|invariant)\w*)/;

/** Reads the marks of TypeScript and Solidity tests, in the order of the files. */
export function findMarks(tests: readonly SourceFile[]): Mark[] {
  return tests
    .filter(({ text }) => text.includes("@spec"))
    .flatMap((file) => (file.path.endsWith(".sol") ? solidityMarks(file) : typescriptMarks(file)));
}

function idsOf(comment: string): string[] | undefined {
  return MARK.exec(comment)?.[1]?.split(/\s+/).filter(Boolean);
}

function typescriptMarks({ path, text }: SourceFile): Mark[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2024, true);
  const comments = new Map<number, ts.CommentRange>();
  const tests = new Map<number, NamedTest>();
  const visit = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(text, node.pos) ?? [];
    const test = ts.isCallExpression(node) ? readTest(node) : undefined;
    for (const range of [...leading, ...(ts.getTrailingCommentRanges(text, node.pos) ?? [])]) {
      comments.set(range.pos, range);
    }
    if (test !== undefined) for (const { pos } of leading) tests.set(pos, test);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...comments.values()]
    .sort((one, other) => one.pos - other.pos)
    .flatMap(({ pos, end }) => {
      const ids = idsOf(text.slice(pos, end));
      return ids === undefined ? [] : [{ file: path, line: lineAt(text, pos), ids, test: tests.get(pos) }];
    });
}

/** The test that a call declares. */
export function readTest({ expression, arguments: [title] }: ts.CallExpression): NamedTest | undefined {
  const isDeclaration =
    ts.isIdentifier(expression) && (expression.text === "it" || expression.text === "describe");
  if (!isDeclaration || title === undefined) return undefined;
  if (ts.isStringLiteralLike(title)) return { title: title.text, isCode: false };
  if (!ts.isTemplateExpression(title)) return { title: title.getText(), isCode: true };
  const words = [title.head.text, ...title.templateSpans.map(({ literal }) => literal.text)];
  const isFilled = words.some((word) => /\p{L}/u.test(word));
  return isFilled ? { title: words.join("…"), isCode: false } : { title: title.getText(), isCode: true };
}

function solidityMarks({ path, text }: SourceFile): Mark[] {
  return [...text.matchAll(SOLIDITY_MARK)].map((match) => {
    const [, title] = SOLIDITY_TEST.exec(text.slice(match.index + match[0].length)) ?? [];
    return {
      file: path,
      line: lineAt(text, match.index),
      ids: idsOf(match[1] ?? "") ?? [],
      test: title === undefined ? undefined : { title, isCode: true },
    };
  });
}
