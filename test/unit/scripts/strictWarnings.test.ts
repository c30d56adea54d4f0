import { expect } from "chai";
import type { CompilerOutputError } from "hardhat/types/solidity";
import { judgeCompilerMessages } from "../../../scripts/hardhat/judgeCompilerMessages.ts";

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

describe("the strict build", () => {
  it("makes a warning about our contracts an error that fails the build", () => {
    const [judged] = judgeCompilerMessages([message("project/contracts/proxy/BalanceProxy.sol")]);
    expect(judged).to.include({ severity: "error", type: "StrictWarning" });
    expect(judged?.formattedMessage).to.contain("Warning treated as an error: Unused local variable.");
  });

  it("drops warnings about packages", () => {
    expect(judgeCompilerMessages([message("npm/solady@0.1.26/src/utils/ECDSA.sol")])).to.deep.equal([]);
  });

  it("keeps errors wherever they are", () => {
    const error = message("npm/solady@0.1.26/src/utils/ECDSA.sol", { severity: "error", type: "TypeError" });
    expect(judgeCompilerMessages([error])).to.deep.equal([error]);
  });

  it("is strict about a warning that points at no source", () => {
    const { formattedMessage: _, ...unplaced } = message("");
    expect(judgeCompilerMessages([unplaced])[0]?.severity).to.equal("error");
  });

  it("lets a test contract be large, and nothing else in a test pass", () => {
    const large = message("project/test/solidity/ReceiverTest.sol", { errorCode: "5574" });
    expect(judgeCompilerMessages([large])).to.deep.equal([]);
    expect(judgeCompilerMessages([message("project/test/solidity/ReceiverTest.sol")])).to.have.length(1);
    expect(judgeCompilerMessages([message("project/contracts/A.sol", { errorCode: "5574" })])).to.have.length(
      1,
    );
  });

  it("is as strict about size as the chain is, but not under coverage", () => {
    for (const errorCode of ["5574", "3860"]) {
      const large = message("project/contracts/receiver/ManagedReceiver.sol", { errorCode });
      expect(judgeCompilerMessages([large])[0]?.severity).to.equal("error");
      expect(judgeCompilerMessages([large], true)).to.deep.equal([]);
    }
    const many = { ...message(""), message: "There are more than 256 warnings. Ignoring the rest." };
    expect(judgeCompilerMessages([many])[0]?.severity).to.equal("error");
    expect(judgeCompilerMessages([many], true)).to.deep.equal([]);
    const other = message("project/contracts/receiver/ManagedReceiver.sol");
    expect(judgeCompilerMessages([other], true)[0]?.severity).to.equal("error");
  });
});
