import { expect } from "chai";
import { findMarks } from "../../../../scripts/specification/findMarks.ts";

/** Ids, title and kind of title of each mark in a test file. */
function marksIn(text: string, path = "test/unit/a.test.ts") {
  return findMarks([{ path, text }]).map(({ ids, test }) => [ids.join(" "), test?.title, test?.isCode]);
}

describe("marks in a TypeScript test", () => {
  it("belong to the it or describe that they stand directly above", () => {
    const text = `import { x } from "./x.ts";

// @spec a/suite
describe("a suite", () => {
  const stage = x();
  // @spec a/one a/two
  // @spec a/three
  it('a test', () => { stage.run(); }).timeout(5);
});`;
    expect(marksIn(text)).to.deep.equal([
      ["a/suite", "a suite", false],
      ["a/one a/two", "a test", false],
      ["a/three", "a test", false],
    ]);
  });

  it("show what a title fills in as an ellipsis, and a title without words as its code", () => {
    const text = `for (const { name, each } of CASES) {
  // @spec a/filled
  it(\`refuses \${name} with \${each.code}\`, run);
  // @spec a/variable
  it(each.title, run);
  // @spec a/template
  it(\`\${name}\`, run);
}`;
    expect(marksIn(text)).to.deep.equal([
      ["a/filled", "refuses … with …", false],
      ["a/variable", "each.title", true],
      ["a/template", `\`\${name}\``, true],
    ]);
  });

  it("belong to no test above a loop, another call, or at the end of a block", () => {
    const text = `// @spec a/loop
for (const name of NAMES) it(name, run);
describe("a suite", () => {
  // @spec a/hook
  before(run);
  // @spec a/end
});`;
    expect(marksIn(text)).to.deep.equal([
      ["a/loop", undefined, undefined],
      ["a/hook", undefined, undefined],
      ["a/end", undefined, undefined],
    ]);
  });
});

describe("marks in a Solidity test", () => {
  const path = "test/solidity/A.t.sol";

  it("belong to the test or invariant below, also above a comment of it", () => {
    const text = `pragma solidity 0.8.37;

contract ATest {
    // @spec a/fuzz
    function testFuzz_PaysTheRecipient(uint256 amount) public {}

    // @spec a/holds
    /// forge-config: default.fuzz.runs = 10
    function invariant_KeepsTheSum() public {}
}`;
    expect(marksIn(text, path)).to.deep.equal([
      ["a/fuzz", "testFuzz_PaysTheRecipient", true],
      ["a/holds", "invariant_KeepsTheSum", true],
    ]);
  });

  it("belong to no test above a helper, or with other code between", () => {
    const text = `pragma solidity 0.8.37;

contract ATest {
    // @spec a/helper
    function pay() internal {}

    // @spec a/state
    uint256 internal sum;
    function test_PaysTheRecipient() public {}
}`;
    expect(marksIn(text, path)).to.deep.equal([
      ["a/helper", undefined, undefined],
      ["a/state", undefined, undefined],
    ]);
  });
});
