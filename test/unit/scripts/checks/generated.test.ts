import { expect } from "chai";
import { checkGenerated } from "../../../../scripts/checks/generated.ts";
import { renderAbi, renderAbiIndex } from "../../../../scripts/generate/renderAbi.ts";

describe("the check of generated files", () => {
  const router = { path: "src/abi/Router.ts", text: renderAbi("Router", []) };
  const index = { path: "src/abi/index.ts", text: renderAbiIndex(["Router"]) };

  it("accepts what the generator would write", () => {
    expect(checkGenerated([router, index], [index, router])).to.deep.equal([]);
  });

  it("finds a stale, a missing and a strange file", () => {
    const stale = { ...router, text: `${router.text}// edited by hand\n` };
    const strange = { path: "src/abi/Old.ts", text: "" };
    const found = checkGenerated([router, index], [stale, strange]);
    expect(found.map(({ file, message }) => `${file} ${message.split(":")[0]}`)).to.deep.equal([
      "src/abi/Router.ts is stale",
      "src/abi/index.ts is missing",
      "src/abi/Old.ts is not generated from any listed contract",
    ]);
  });
});
