import { expect } from "chai";
import { BranchCollector } from "../../../../scripts/coverage/BranchCollector.ts";
import { readBranchRows, renderBranchTables, rowsByKey } from "../../../../scripts/coverage/branchTable.ts";
import { checkBranches } from "../../../../scripts/coverage/checkBranches.ts";
import { findBranches } from "../../../../scripts/coverage/findBranches.ts";
import { sideTag, testTag } from "../../../../scripts/coverage/instrumentBranches.ts";
import { checkMeasured, proposedCell } from "../../../../scripts/coverage/measuredTests.ts";

function only<Value>([value]: readonly Value[]): Value {
  if (value === undefined) throw new Error("There is none.");
  return value;
}

const contract = {
  path: "contracts/receiver/PaymentSigner.sol",
  text: `pragma solidity ^0.8.24;
contract PaymentSigner { function pay(uint256 a) external { if (a | 1 == 0) revert(); } }`,
};
const tests = [
  { path: "test/solidity/PaymentSigner.t.sol", text: "function test_RevertWhen_NothingIsPaid() public {}" },
  { path: "test/contracts/signer.test.ts", text: 'it("takes whatever is paid", () => {})' },
];
const branches = findBranches([contract]);
const branch = only(branches);

const page = (...rows: string[]) => ({
  path: "docs/branches.md",
  text: [
    "# Branches",
    "## PaymentSigner",
    "| function | condition | true | false |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n"),
});
const complete = '| `pay` | `a \\| 1 == 0` | `test_RevertWhen_NothingIsPaid` | "takes whatever is paid" |';
const messages = (...rows: string[]) =>
  checkBranches(page(...rows), [contract], tests).map(({ message }) => message);

describe("the page of branches", () => {
  it("passes when every side of every branch names a test that exists", () => {
    expect(messages(complete)).to.deep.equal([]);
  });

  it("fails for a branch without a row", () => {
    expect(messages()).to.deep.equal([
      'has a branch without a row in docs/branches.md: "PaymentSigner.pay: a | 1 == 0"',
    ]);
  });

  it("fails for a row without a branch, and for a second row of a branch", () => {
    expect(messages(complete, complete.replace("1 == 0", "2 == 0"))[0]).to.contain("has a row too many");
    expect(messages(complete, complete)[0]).to.contain("has a row too many");
  });

  it("fails for a test that does not exist", () => {
    const [problem] = messages(complete.replace("NothingIsPaid", "NothingCame"));
    expect(problem).to.contain("test_RevertWhen_NothingCame, which does not exist");
  });

  it("fails for a side without a test, unless it says why there can be none", () => {
    expect(messages(complete.replace('"takes whatever is paid"', ""))[0]).to.contain(
      "names no test in which",
    );
    expect(messages(complete.replace('"takes whatever is paid"', "never: nobody pays"))).to.deep.equal([]);
  });

  it("is read as it is written", () => {
    const written = renderBranchTables(branches, (_, side) =>
      side === "true" ? "`test_RevertWhen_NothingIsPaid`" : '"takes whatever is paid"',
    );
    expect(written).to.contain(complete);
    expect(readBranchRows({ path: "docs/branches.md", text: written })[0]?.key).to.equal(
      "PaymentSigner.pay: a | 1 == 0",
    );
  });
});

describe("what the tests did", () => {
  function collect() {
    const collector = new BranchCollector(branches, ["test_RevertWhen_NothingIsPaid"]);
    collector.add([testTag("test_RevertWhen_NothingIsPaid"), sideTag(branch, "true")]);
    collector.begin("takes whatever is paid");
    collector.add([sideTag(branch, "false")]);
    collector.end();
    return collector.collected();
  }
  const rows = (row: string) => rowsByKey(readBranchRows(page(row)));

  it("is what the page says, test by test", () => {
    expect(checkMeasured(branches, rows(complete), collect())).to.deep.equal([]);
  });

  it("shows that a test does not take the side that it is named for", () => {
    const swapped = '| `pay` | `a \\| 1 == 0` | "takes whatever is paid" | "takes whatever is paid" |';
    const [problem] = checkMeasured(branches, rows(swapped), collect());
    expect(problem?.message).to.contain('names "takes whatever is paid", in which it is not so that');
  });

  it("shows that the page names no test for a side", () => {
    expect(checkMeasured(branches, new Map(), collect()).map(({ message }) => message)).to.deep.equal([
      'names no test in which "PaymentSigner.pay: a | 1 == 0" is true',
      'names no test in which "PaymentSigner.pay: a | 1 == 0" is false',
    ]);
  });

  it("shows that a side which is said to be impossible was taken", () => {
    const impossible = complete.replace('"takes whatever is paid"', "never: nobody pays");
    expect(checkMeasured(branches, rows(impossible), collect())[0]?.message).to.contain("says it cannot be");
  });

  it("belongs to no test between tests", () => {
    const collector = new BranchCollector(branches, []);
    collector.begin("takes whatever is paid");
    collector.end();
    collector.add([sideTag(branch, "false")]);
    expect(proposedCell(branch, "false", new Map(), collector.collected())).to.equal("");
  });

  it("proposes a test for a side that has none, and keeps what is true", () => {
    expect(proposedCell(branch, "true", new Map(), collect())).to.equal("`test_RevertWhen_NothingIsPaid`");
    expect(proposedCell(branch, "false", rows(complete), collect())).to.equal('"takes whatever is paid"');
  });

  it("prefers a test that takes the side in each of its runs", () => {
    const collector = new BranchCollector(branches, ["testFuzz_Sometimes", "testFuzz_Zalways"]);
    collector.add([testTag("testFuzz_Sometimes")]);
    collector.add([testTag("testFuzz_Sometimes"), sideTag(branch, "true")]);
    collector.add([testTag("testFuzz_Zalways"), sideTag(branch, "true")]);
    expect(proposedCell(branch, "true", new Map(), collector.collected())).to.equal("`testFuzz_Zalways`");
  });
});
