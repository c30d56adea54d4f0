import { expect } from "chai";
import { branchKey, findBranches } from "../../../../scripts/coverage/findBranches.ts";

function branchesOf(functions: string) {
  const text = `pragma solidity ^0.8.24;\n// ‖ is three bytes long\ncontract PaymentSigner {\n${functions}\n}`;
  return findBranches([{ path: "contracts/receiver/PaymentSigner.sol", text }]).map((branch) => ({
    key: branchKey(branch),
    sides: branch.sides.join("/"),
    source: text.slice(branch.start, branch.end),
  }));
}

const keysOf = (functions: string) => branchesOf(functions).map(({ key }) => key);

describe("the branches of a contract", () => {
  it("are named by contract, function and the words of the condition, on one line", () => {
    expect(branchesOf("function pay(uint256 a) external { if (\n  a ==\n 0\n) revert(); }")).to.deep.equal([
      { key: "PaymentSigner.pay: a == 0", sides: "true/false", source: "a ==\n 0" },
    ]);
  });

  it("are the parts of a compound condition", () => {
    const all = keysOf("function pay(bool a, bool b, bool c) external { if (!(a && b) || c) revert(); }");
    expect(all).to.deep.equal(["PaymentSigner.pay: a", "PaymentSigner.pay: b", "PaymentSigner.pay: c"]);
  });

  it("are in what is returned, chosen, passed on and required too", () => {
    expect(keysOf("function f(bool a, bool b) external returns (bool) { return a || b; }")).to.have.length(2);
    expect(keysOf("function f(bool a, bool b) external { g(a && b); }")).to.have.length(2);
    expect(keysOf("function f(bool a, bool b, bool c) external { bool d = a ? b && c : b; }")).to.have.length(
      3,
    );
    expect(keysOf("function f(bool a) external { require(a); }")).to.deep.equal(["PaymentSigner.f: a"]);
  });

  it("are the rounds of a loop: none, one, many", () => {
    const [loop] = branchesOf("function f(uint256 n) external { for (uint256 i; i < n; ++i) g(i); }");
    expect(loop).to.deep.include({ key: "PaymentSigner.f: for i < n", sides: "none/one/many" });
  });

  it("are found in assembly too", () => {
    const found = branchesOf(
      "function f() external { assembly { if gt(1, 2) { revert(0, 0) } switch callvalue() case 0 {} default {} } }",
    );
    expect(found.map(({ key, sides }) => `${key} ${sides}`)).to.deep.equal([
      "PaymentSigner.f: gt(1, 2) true/false",
      "PaymentSigner.f: switch callvalue() 0/default",
    ]);
  });

  it("have different names where a function asks the same twice, or a name has several functions", () => {
    expect(keysOf("function f(bool a) external { if (a) g(); if (a) h(); }")).to.deep.equal([
      "PaymentSigner.f: a",
      "PaymentSigner.f: a #2",
    ]);
    expect(
      keysOf(
        "function f(bool a) external { if (a) g(); } function f(bytes[] calldata b) external { if (b.length == 0) g(); }",
      ),
    ).to.deep.equal(["PaymentSigner.f(bool): a", "PaymentSigner.f(bytes[]): b.length == 0"]);
  });

  it("are in constructors, modifiers and fallbacks", () => {
    expect(
      keysOf(
        "constructor(bool a) { if (a) g(); } modifier m(bool a) { if (a) g(); _; } fallback() external { if (msg.data.length == 0) g(); }",
      ),
    ).to.deep.equal([
      "PaymentSigner.constructor: a",
      "PaymentSigner.m: a",
      "PaymentSigner.fallback: msg.data.length == 0",
    ]);
  });

  it("are refused where no name is known, rather than left out", () => {
    expect(() => keysOf("function f(PaymentSigner d) external { try d.g() {} catch {} }")).to.throw(
      "No name is known",
    );
    expect(() => keysOf("function f() external { assembly { switch 1 case 0 {} } }")).to.throw(
      "No name is known",
    );
    expect(() => keysOf("function f(uint256 i) external { for (; i < 3; ++i) g(); }")).to.throw(
      "No counter is known",
    );
  });
});
