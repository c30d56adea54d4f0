import { expect } from "chai";
import {
  judgeSpecification,
  renderSpecification,
  SPECIFICATION_PAGE,
} from "../../../../scripts/generate/specification.ts";
import { findMarks } from "../../../../scripts/specification/findMarks.ts";
import type { Sections } from "../../../../scripts/specification/Section.ts";

const SECTIONS: Sections = {
  Quotes: {
    "quote/calls-in-order": "Calls run in order.",
    "quote/no-route": "A route that does not exist has the code `NO_SWAP_ROUTES_FOUND`.",
    "quote/svm": { open: "A quote may start on an SVM chain." },
    "quote/speed": { untested: "A quote is quick." },
  },
};

const PROVEN = `describe("quotes", () => {
  // @spec quote/calls-in-order quote/no-route
  it("fills calls in order", () => {});
});`;

function typescript(text: string) {
  return [{ path: "test/unit/a.test.ts", text }];
}

function problemsOf(text: string, sections = SECTIONS): string[] {
  const tests = typescript(text);
  const page = { path: SPECIFICATION_PAGE, text: renderSpecification(sections, findMarks(tests)) };
  return judgeSpecification(sections, tests, [page]).map(
    ({ file, line, message }) => `${file}:${line ?? ""} ${message}`,
  );
}

describe("the check of the specification's table", () => {
  it("accepts statements that are marked, and those that say why they are not", () => {
    expect(problemsOf(PROVEN)).to.deep.equal([]);
  });

  it("reports a mark of an unknown, an open and an untested statement, and one without an id", () => {
    const text = `${PROVEN}
// @spec quote/gone quote/svm quote/speed
it("does something", () => {});
// @spec
it("does more", () => {});`;
    expect(problemsOf(text)).to.deep.equal([
      'test/unit/a.test.ts:5 marks "quote/gone", which is no statement of the specification',
      'test/unit/a.test.ts:5 marks "quote/svm", which is listed as open',
      'test/unit/a.test.ts:5 marks "quote/speed", which is listed as untested',
      "test/unit/a.test.ts:7 has a mark without an id",
    ]);
  });

  it("reports a built statement that no test is marked with", () => {
    expect(problemsOf(PROVEN.replace(" quote/no-route", ""))).to.deep.equal([
      'docs/reference/specification.md: has no test for "quote/no-route": mark one with "// @spec quote/no-route"',
    ]);
  });

  it("reports a mark that stands above no test", () => {
    const text = PROVEN.replace('it("fills', 'run("fills');
    expect(problemsOf(text)).to.deep.equal([
      "test/unit/a.test.ts:2 has a mark above no test: put it directly above it(…) or describe(…)",
    ]);
  });

  it("reports an id that two sections use", () => {
    const again = { Calls: { "quote/calls-in-order": "Calls run in order." } };
    expect(problemsOf(PROVEN, { ...SECTIONS, ...again })).to.deep.equal([
      'docs/reference/specification.md: has two statements with the id "quote/calls-in-order"',
    ]);
  });
});

describe("the specification's page", () => {
  it("counts the statements by state, and links each proven one to its tests", () => {
    const page = renderSpecification(SECTIONS, findMarks(typescript(PROVEN)));
    expect(page).to.include("4 statements").and.include("2 are proven");
    expect(page).to.include("1 are **open**").and.include("1 are **untested**");
    expect(page.split("\n").filter((line) => line.startsWith("| `"))).to.deep.equal([
      "| `quote/calls-in-order` | Calls run in order. | [fills calls in order](../../test/unit/a.test.ts) |",
      "| `quote/no-route` | A route that does not exist has the code `NO_SWAP_ROUTES_FOUND`. | [fills calls in order](../../test/unit/a.test.ts) |",
      "| `quote/svm` | A quote may start on an SVM chain. | **open** |",
      "| `quote/speed` | A quote is quick. | **untested** |",
    ]);
  });
});
