import { expect } from "chai";
import { checkFileSizes } from "../../../../scripts/checks/fileSize.ts";
import { renderAbi } from "../../../../scripts/generate/renderAbi.ts";

const linesOf = (count: number): string => "x\n".repeat(count);

describe("the check of file sizes", () => {
  it("accepts 400 lines and finds 401", () => {
    const files = [
      { path: "src/a.ts", text: linesOf(400) },
      { path: "src/b.ts", text: linesOf(401) },
    ];
    expect(checkFileSizes(files).map(({ file }) => file)).to.deep.equal(["src/b.ts"]);
  });

  it("leaves generated files alone", () => {
    const text = renderAbi(
      "Long",
      Array.from({ length: 500 }, (_, index) => index),
    );
    expect(checkFileSizes([{ path: "src/abi/Long.ts", text }])).to.deep.equal([]);
  });
});
