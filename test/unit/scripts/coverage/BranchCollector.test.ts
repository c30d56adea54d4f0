import { expect } from "chai";
import { BranchCollector } from "../../../../scripts/coverage/BranchCollector.ts";
import { findBranches } from "../../../../scripts/coverage/findBranches.ts";
import { sideTag, testTag } from "../../../../scripts/coverage/instrumentBranches.ts";

describe("BranchCollector", () => {
  const text = "contract C { function f(bool a) external { if (a) revert(); } }";
  const [branch] = findBranches([{ path: "contracts/C.sol", text }]);
  if (branch === undefined) throw new Error("the contract has one branch");
  const [side = ""] = branch.sides;

  it("a test that calls another: counts a side for both, in whatever order the tags come", () => {
    const [caller, callee] = ["test_Caller", "testFuzz_Callee"];
    const tags = [testTag(callee), sideTag(branch, side), testTag(caller)];
    for (const order of [tags, tags.toReversed()]) {
      const collector = new BranchCollector([branch], [caller, callee]);
      collector.add(order);
      const { runs, sides } = collector.collected();
      expect(Object.values(sides)).to.deep.equal([{ [callee]: 1, [caller]: 1 }]);
      expect(runs).to.deep.equal({ [callee]: 1, [caller]: 1 });
    }
  });

  it("a call without a Solidity test: counts a side for the TypeScript test that runs", () => {
    const collector = new BranchCollector([branch], ["test_Other"]);
    collector.begin("a title");
    collector.add([sideTag(branch, side)]);
    collector.end();
    expect(Object.values(collector.collected().sides)).to.deep.equal([{ "a title": 1 }]);
  });
});
