import { expect } from "chai";
import { renderClaims } from "../../../../scripts/generate/claims.ts";

const tests = [
  {
    path: "test/solidity/A.t.sol",
    text: "contract ATest { function testFuzz_HashIsRight(uint256 x) public {} }",
  },
  {
    path: "test/unit/a.test.ts",
    text: `it("rejects a wrong amount", () => {});\nit(\`rejects \${name} with \${code}\`, () => {});`,
  },
];

function render(claims: object): ReturnType<typeof renderClaims> {
  return renderClaims([{ path: "docs/claims/calls.json", text: JSON.stringify(claims) }], tests);
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
    expect(page.text).to.include("## calls\n\nClaims of [calls.md](calls.md).");
    expect(page.text).to.include("| A hash is right. | [`testFuzz_HashIsRight`](../test/solidity/A.t.sol) |");
    expect(page.text).to.include(
      "[rejects … with …](../test/unit/a.test.ts)<br>[rejects a negative amount with INVALID\\_REQUEST](../test/unit/a.test.ts)",
    );
  });

  it("a title that no test has: is reported with its file", () => {
    expect(render({ "Payments arrive.": "accepts a wrong amount" }).problems).to.deep.equal([
      {
        file: "docs/claims/calls.json",
        message: 'names the test "accepts a wrong amount", which does not exist',
      },
    ]);
  });
});
