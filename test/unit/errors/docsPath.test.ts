import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { isHeading, root } from "../../helpers/docsHeadings.ts";

/** Every code that an error is made with, by the file that makes it. */
function codesOfErrors(): [code: string, file: string][] {
  return globSync("{src,emulator,cli}/**/*.ts", { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8").replace(/^ *\*.*$/gm, "");
    const makes = /\bextends \w*Error\b|\bnew BaseError\(/.test(text);
    const values = makes ? [...text.matchAll(/\bcode(?:: | = )([^,;}]*)/g)] : [];
    const mismatches = /(?:Claim|Quote)MismatchError\.ts$/.test(file)
      ? [...text.matchAll(/^ {2}\|(.*)$/gm)]
      : [];
    return [...values, ...mismatches].flatMap(([, value = ""]) =>
      [...value.matchAll(/"([A-Z][A-Z_0-9]+)"/g)].map(([, code = ""]): [string, string] => [code, file]),
    );
  });
}

describe("docsPath", () => {
  it("of each code that an error is made with leads to a heading of the docs", () => {
    const codes = codesOfErrors();
    expect(codes).to.have.length.greaterThan(60);
    const missing = codes.filter(([code]) => !isHeading(new BaseError("", { code }).docsPath));
    expect(missing).to.deep.equal([]);
  });

  it("has no heading for a code that does not exist", () => {
    const page = readFileSync(join(root, "docs/codes.md"), "utf8");
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, code = ""]) => code);
    const codes = new Set(codesOfErrors().map(([code]) => code));
    expect(headings.filter((code) => !codes.has(code))).to.deep.equal([]);
    expect(new Set(headings)).to.have.property("size", headings.length);
    expect(
      [undefined, "", "docs/codes.md", "docs/codes.md#brand_new", "docs/none.md#timeout"].filter(isHeading),
    ).to.deep.equal([]);
  });
});
