import { expect } from "chai";
import { findMutants } from "../../../../scripts/audit/findMutants.ts";
import { findReachingTests } from "../../../../scripts/audit/findReachingTests.ts";

/** What the mutants of a function's body change, without file and scope. */
function changesIn(body: string, header = "function f(uint256 x, address y) public"): string[] {
  const text = `contract C {\n  ${header} {\n    ${body}\n  }\n}\n`;
  return findMutants({ path: "contracts/C.sol", text }).map(({ key }) =>
    key.replace(/^contracts\/C\.sol C\.f: /, ""),
  );
}

describe("mutants of a contract", () => {
  it("a condition becomes true, false and its neighbours; a revert below it has no mutant of its own", () => {
    expect(changesIn("if (x < x * x) revert E();")).to.deep.equal([
      "x < x * x -> true",
      "x < x * x -> false",
      "x < x * x -> x <= x * x",
      "x < x * x -> x >= x * x",
      "x * x -> x / x",
      "x * x -> x % x",
    ]);
  });

  it("a call, an assignment, a negation, a number and a modifier each have theirs", () => {
    expect(changesIn("g();")).to.deep.equal(["g(); -> {}"]);
    expect(changesIn("z += 0x10;")).to.deep.equal([
      "z += 0x10; -> {}",
      "z += 0x10 -> z -= 0x10",
      "z += 0x10 -> z += 0x11",
    ]);
    expect(changesIn("return !b;")).to.deep.equal(["!b -> b"]);
    expect(changesIn("", "function f() public guarded")).to.deep.equal(["guarded -> (nothing)"]);
  });

  it("hashed words change places, and assembly's functions have partners", () => {
    expect(changesIn("return keccak256(abi.encode(x, y));")).to.deep.equal(["x, y -> y, x"]);
    expect(changesIn("assembly { if iszero(x) { z := add(x, y) } }")).to.include.members([
      "iszero(x) -> 1",
      "iszero(x) -> x",
      "z := add(x, y) -> {}",
      "add(x, y) -> sub(x, y)",
    ]);
  });

  it("equal changes of one function are numbered, and each mutant has its line and its whole source", () => {
    const text = "contract C {\n  function f() public {\n    g();\n    g();\n  }\n}\n";
    const [first, second] = findMutants({ path: "C.sol", text });
    expect([first?.key, first?.line]).to.deep.equal(["C.sol C.f: g(); -> {}", 3]);
    expect([second?.key, second?.line]).to.deep.equal(["C.sol C.f: g(); -> {} #2", 4]);
    expect(second?.text).to.equal("contract C {\n  function f() public {\n    g();\n    {}\n  }\n}\n");
  });

  it("a loop keeps its step, and a literal address is left alone", () => {
    expect(changesIn("for (uint256 i; i < x; ++i) {}")).to.deep.equal([
      "i < x -> false",
      "i < x -> i <= x",
      "i < x -> i >= x",
    ]);
    expect(changesIn("return 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;")).to.deep.equal([]);
  });
});

describe("the tests that reach a contract", () => {
  it("are those that import it, without the proofs: the one of its name first, then by distance", () => {
    const file = (path: string, ...imports: string[]) => ({
      path,
      text: imports.map((target) => `import {X} from "${target}";\n`).join(""),
    });
    const files = [
      file("contracts/A.sol"),
      file("contracts/B.sol", "./A.sol"),
      file("test/solidity/A.t.sol", "./Fixture.sol"),
      file("test/solidity/Fixture.sol", "../../contracts/B.sol"),
      file("test/solidity/Near.t.sol", "../../contracts/A.sol"),
      file("test/solidity/Other.t.sol", "../../contracts/C.sol"),
      file("test/solidity/Far.t.sol", "../../contracts/B.sol"),
      file("test/proofs/Near.t.sol", "../../contracts/A.sol"),
    ];
    expect(findReachingTests("contracts/A.sol", files)).to.deep.equal([
      "test/solidity/A.t.sol",
      "test/solidity/Near.t.sol",
      "test/solidity/Far.t.sol",
    ]);
  });
});
