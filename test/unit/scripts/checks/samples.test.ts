import { expect } from "chai";
import { compileSamples } from "../../../../scripts/checks/samples/compileSamples.ts";
import { readSamples } from "../../../../scripts/checks/samples/readSamples.ts";

const page = (...blocks: string[]) => [{ path: "docs/a.md", text: blocks.join("\n") }];
const block = (info: string, code: string) => `Text.\n\n\`\`\`${info}\n${code}\n\`\`\`\n`;

describe("the samples of a page", () => {
  it("a block marked continue: joins the block before it, each line where the page has it", () => {
    const pages = page(block("ts run", "const a = 1;"), block("sh", "ls"), block("ts continue", "a;"));
    const [sample, ...others] = readSamples(pages, "ts");
    expect(others).to.deep.equal([]);
    expect(sample?.isRun).to.equal(true);
    const lineOf = (code: string, text = "") => text.split("\n").indexOf(code);
    for (const code of ["const a = 1;", "a;"]) {
      expect(lineOf(code, sample?.code)).to.equal(lineOf(code, pages[0]?.text)).and.above(0);
    }
  });

  for (const [name, info, error] of [
    ["an unknown mark", "ts runs", /docs\/a\.md:3 .* unknown mark runs/],
    ["nothing to continue", "ts continue", /docs\/a\.md:3 continues no block/],
  ] as const) {
    it(`${name}: is refused with its line`, () => {
      expect(() => readSamples(page(block(info, "1;")), "ts")).to.throw(error);
    });
  }

  it("a wrong type of an imported package: is a problem on its line", () => {
    const code = 'import { svmChainId } from "waybill/svm";\n\nconst text: string = svmChainId;';
    const [problem] = compileSamples(readSamples(page(block("ts", code)), "ts"));
    expect(problem).to.deep.include({ file: "docs/a.md", line: 6 });
    expect(problem?.message).to.contain("is not assignable to type 'string'");
  }).timeout(30_000);
});
