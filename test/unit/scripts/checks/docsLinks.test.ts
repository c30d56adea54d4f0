import { expect } from "chai";
import { checkDocs } from "../../../../scripts/checks/docsLinks.ts";

const files = ["README.md", "docs/guide.md", "contracts/proxy/BalanceProxy.sol"];
const guide = {
  path: "docs/guide.md",
  text: "# Guide\n\n## What `calls()` builds\n\n## Twice\n\n## Twice\n",
};

function messages(text: string): string[] {
  const pages = [{ path: "README.md", text }, guide];
  return checkDocs({ pages, files, scripts: ["demo", "test"] }).map(
    ({ line, message }) => `${line} ${message}`,
  );
}

describe("the check of links in Markdown", () => {
  it("follows links to files, folders, headings and repeated headings", () => {
    const text = [
      "[guide](docs/guide.md) [calls](./docs/guide.md#what-calls-builds) [again](docs/guide.md#twice-1)",
      "[folder](contracts/) [web](https://example.org/missing) ![x](contracts/proxy/BalanceProxy.sol)",
      "[here](#top)",
      "# Top",
    ].join("\n");
    expect(messages(text)).to.deep.equal([]);
  });

  it("finds a link to a file that does not exist", () => {
    expect(messages("one\n\n[gone](docs/gone.md)")).to.deep.equal([
      "3 links to docs/gone.md, which does not exist",
    ]);
  });

  it("finds an anchor that is no heading", () => {
    expect(messages("[x](docs/guide.md#thrice)")[0]).to.contain("docs/guide.md#thrice, which is no heading");
    expect(messages("[x](#nowhere)")[0]).to.contain("README.md#nowhere");
  });

  it("finds a broken reference definition", () => {
    expect(messages("[x]: docs/gone.md")).to.have.length(1);
  });

  it("does not follow links in code", () => {
    expect(messages("`[x](gone.md)`\n\n```md\n[x](gone.md)\n```\n")).to.deep.equal([]);
  });

  it("finds paths in code spans that do not exist, from the root or from the page's folder", () => {
    expect(messages("`docs/gone.md` and `contracts/gone/`")).to.deep.equal([
      "1 names docs/gone.md, which does not exist",
      "1 names contracts/gone, which does not exist",
    ]);
    expect(messages("`docs/guide.md` `contracts/proxy/` `contracts/*.sol` `waybill/client`")).to.deep.equal(
      [],
    );
    const page = { path: "contracts/README.md", text: "`proxy/BalanceProxy.sol` `docs/guide.md`" };
    expect(checkDocs({ pages: [page], files, scripts: [] })).to.deep.equal([]);
  });

  it("finds commands that package.json does not have, in code too", () => {
    expect(messages("```sh\nnpm test\nnpm run demo\nnpm run nothing\n```\n")).to.deep.equal([
      '4 names "npm run nothing", which package.json does not have',
    ]);
    expect(messages("`npm start`")).to.have.length(1);
  });
});
