import { expect } from "chai";
import type { CompilerOutputError } from "hardhat/types/solidity";
import { judgeCompilerMessages } from "../../../../scripts/hardhat/judgeCompilerMessages.ts";

function message(source: string, fields: Partial<CompilerOutputError> = {}): CompilerOutputError {
  return {
    component: "general",
    errorCode: "2072",
    formattedMessage: `Warning: Unused local variable.\n --> ${source}:7:9:\n`,
    message: "Unused local variable.",
    severity: "warning",
    type: "Warning",
    ...fields,
  };
}

const contract = "project/contracts/receiver/ManagedReceiver.sol";
const test = "project/test/solidity/ReceiverTest.sol";
const solady = "npm/solady@0.1.26/src/utils/ECDSA.sol";
const { formattedMessage: _, ...unplaced } = message("");
const many = { ...message(""), message: "There are more than 256 warnings. Ignoring the rest." };

describe("judgeCompilerMessages", () => {
  it("makes a warning about our contracts an error that fails the build", () => {
    const [judged] = judgeCompilerMessages([message(contract)]);
    expect(judged).to.include({ severity: "error", type: "StrictWarning" });
    expect(judged?.formattedMessage).to.contain("Warning treated as an error: Unused local variable.");
  });

  it("keeps errors wherever they are", () => {
    const error = message(solady, { severity: "error", type: "TypeError" });
    expect(judgeCompilerMessages([error])).to.deep.equal([error]);
  });

  for (const [what, given, isKept, isKeptUnderCoverage] of [
    ["a warning about a package", message(solady), false, false],
    ["a warning about a contract", message(contract), true, true],
    ["a warning that names no source", unplaced, true, true],
    ["a warning about a test", message(test), true, true],
    ["the size of a test", message(test, { errorCode: "5574" }), false, false],
    ["the size of a contract", message(contract, { errorCode: "5574" }), true, false],
    ["the size of creation code", message(contract, { errorCode: "3860" }), true, false],
    ["more warnings than the compiler lists", many, true, false],
  ] as const) {
    it(`${isKept ? "makes an error of" : "drops"} ${what}`, () => {
      expect(judgeCompilerMessages([given]).map(({ severity }) => severity)).to.deep.equal(
        isKept ? ["error"] : [],
      );
    });

    it(`${isKeptUnderCoverage ? "makes an error of" : "drops"} ${what} under coverage`, () => {
      expect(judgeCompilerMessages([given], true).map(({ severity }) => severity)).to.deep.equal(
        isKeptUnderCoverage ? ["error"] : [],
      );
    });
  }
});
