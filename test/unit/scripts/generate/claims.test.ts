import { expect } from "chai";
import { renderClaims } from "../../../../scripts/generate/claims.ts";

const tests = [
  {
    path: "test/solidity/A.t.sol",
    text: "contract ATest { function testFuzz_HashIsRight(uint256 x) public {} }",
  },
  {
    path: "test/unit/a.test.ts",
    text: `const rows = [["a negative amount", "INVALID_REQUEST"]];\nit("rejects a wrong amount", () => {});\nit(\`rejects \${name} with \${code}\`, () => {});`,
  },
];

function render(claims: object): ReturnType<typeof renderClaims> {
  return renderClaims([{ path: "docs/claims/calls.json", text: JSON.stringify(claims) }], tests, [
    "docs/how-to/calls.md",
  ]);
}

describe("the page of claims", () => {
  it("titles of both languages, whole, as a template or filled in: links each to its file", () => {
    const { page, problems } = render({
      "A hash is right.": "testFuzz_HashIsRight",
      "Wrong amounts are rejected.": [
        "rejects a wrong amount",
        "rejects … with …",
        "rejects a negative amount with INVALID_REQUEST",
      ],
    });
    expect(problems).to.deep.equal([]);
    expect(page.text).to.include("## calls\n\nClaims of [calls](../how-to/calls.md).");
    expect(page.text).to.include(
      "| A hash is right. | [`testFuzz_HashIsRight`](../../test/solidity/A.t.sol) |",
    );
    expect(page.text).to.include(
      "[rejects … with …](../../test/unit/a.test.ts)<br>[rejects a negative amount with INVALID\\_REQUEST](../../test/unit/a.test.ts)",
    );
  });

  for (const title of ["accepts a wrong amount", "rejects a late amount with INVALID_REQUEST"]) {
    it(`the title "${title}", which no test and no case of a table has: is reported with its file`, () => {
      expect(render({ "Payments arrive.": title }).problems).to.deep.equal([
        { file: "docs/claims/calls.json", message: `names the test "${title}", which does not exist` },
      ]);
    });
  }
});
