import { expect } from "chai";
import { checkNamedTests } from "../../../../scripts/checks/namedTests.ts";

const tests = [
  { path: "test/solidity/A.t.sol", text: "function testFuzz_HashIsRight(uint256 x) public {}" },
  {
    path: "test/unit/a.test.ts",
    text: `it("refuses a wrong amount", () => {});\nit(\`refuses \${name} with \${code}\`, () => {});\nit(\`\${name}\`, () => {});`,
  },
];

function messages(text: string): string[] {
  return checkNamedTests([{ path: "docs/a.md", text }], tests).map(
    ({ line, message }) => `${line} ${message}`,
  );
}

describe("the check of tests that pages name", () => {
  it("finds tests by identifier, by title, and by a title that is filled in", () => {
    const text = [
      "| a | `testFuzz_HashIsRight` |",
      '| b | "refuses a wrong amount" |',
      '| c | "refuses a negative amount with INVALID_REQUEST" |',
      '| d | "refuses … amount" |',
    ].join("\n");
    expect(messages(text)).to.deep.equal([]);
  });

  it("reports tests that do not exist", () => {
    expect(messages("`test_Gone`")).to.deep.equal(["1 names the test test_Gone, which does not exist"]);
    expect(messages('one\n| x | "accepts a wrong amount" |')).to.deep.equal([
      '2 names the test "accepts a wrong amount", which does not exist',
    ]);
    expect(messages('("pays nobody at all", `test/unit/a.test.ts`)')).to.have.length(1);
  });

  it("finds a title that wraps, and reports one that does not exist", () => {
    expect(messages('(`test/unit/a.test.ts`: "refuses a\nwrong amount") "as a word"')).to.deep.equal([]);
    expect(messages('(`test/unit/a.test.ts`: "accepts a\nwrong amount")')).to.deep.equal([
      '1 names the test "accepts a wrong amount", which does not exist',
    ]);
  });

  it("does not take a longer name for a shorter one", () => {
    expect(messages("`testFuzz_Hash`")).to.have.length(1);
  });

  it("leaves quotations in prose alone", () => {
    expect(messages('He said "this is not a test at all".')).to.deep.equal([]);
  });
});
