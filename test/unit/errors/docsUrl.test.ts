import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { docsRoot } from "../../../src/errors/docsRoot.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
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

describe("docsUrl", () => {
  it("of each code that an error is made with leads to a heading of the docs", () => {
    const codes = codesOfErrors();
    expect(codes).to.have.length.greaterThan(60);
    const missing = codes.filter(([code]) => !isHeading(new BaseError("", { code }).docsUrl));
    expect(missing).to.deep.equal([]);
  });

  it("follows from the code unless it is given, and is part of the message", () => {
    const mismatch = { actual: "1", code: "QUOTE_CHAIN", expected: "2", path: "steps" } as const;
    const error = new QuoteMismatchError([mismatch]);
    expect(error.docsUrl).to.equal(`${docsRoot}reference/codes.md#quote_chain`);
    expect(error.message).to.include(`\n\nDocs: ${docsRoot}reference/codes.md#quote_chain`);
    const own = new BaseError("Out of paper.", { code: "NO_PAPER", docsPath: "printing.md" });
    expect(own.docsUrl).to.equal(`${docsRoot}printing.md`);
    expect(new BaseError("Unexpected.").docsUrl).to.satisfy(isHeading);
  });

  it("has no heading for a code that does not exist", () => {
    const page = readFileSync(join(root, "docs/reference/codes.md"), "utf8");
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, code = ""]) => code);
    const codes = new Set(codesOfErrors().map(([code]) => code));
    expect(headings.filter((code) => !codes.has(code))).to.deep.equal([]);
    expect(new Set(headings)).to.have.property("size", headings.length);
    expect(
      [
        undefined,
        "reference/codes.md#timeout",
        `${docsRoot}reference/codes.md`,
        `${docsRoot}reference/codes.md#brand_new`,
        `${docsRoot}none.md#timeout`,
      ].filter(isHeading),
    ).to.deep.equal([]);
  });
});
