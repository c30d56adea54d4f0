import { expect } from "chai";
import { checkCopiedBlocks } from "../../../../scripts/checks/copiedBlocks.ts";
import { checkDocs, checkSidebar } from "../../../../scripts/checks/docsLinks.ts";
import { checkDocumented } from "../../../../scripts/checks/documented.ts";
import type { Export } from "../../../../scripts/checks/entryPoints.ts";
import { reportLicences } from "../../../../scripts/checks/licences.ts";
import { checkLockfile, completeLockfile, type Lockfile } from "../../../../scripts/checks/lockfile.ts";
import { checkNamedTests } from "../../../../scripts/checks/namedTests.ts";
import type { Problem } from "../../../../scripts/checks/Problem.ts";
import { readPackages } from "../../../../scripts/checks/packages.ts";
import { checkProse, countProse } from "../../../../scripts/checks/prose.ts";
import { checkSecrets } from "../../../../scripts/checks/secrets.ts";

/** A text, and a part of each problem with its line, in order. */
type Row = readonly [title: string, text: string, ...problems: string[]];

function test(check: (text: string) => readonly Problem[], rows: readonly Row[]): void {
  for (const [title, text, ...problems] of rows) {
    it(title, () => {
      const found = check(text).map(({ line, message }) => `${line ?? ""} ${message}`);
      expect(found, found.join("\n")).to.have.length(problems.length);
      for (const [i, part] of problems.entries()) expect(found[i]).to.include(part);
    });
  }
}

describe("the check of links in Markdown", () => {
  const files = ["README.md", "docs/guide.md", "contracts/proxy/BalanceProxy.sol"];
  const guide = { path: "docs/guide.md", text: "## What `calls()` builds\n\n## Twice\n\n## Twice\n" };
  const check = (text: string) =>
    checkDocs({ files, pages: [{ path: "README.md", text }, guide], scripts: ["demo", "test"] });
  test(check, [
    [
      "follows links to files, folders, headings and repeated headings",
      "[calls](./docs/guide.md#what-calls-builds) [again](docs/guide.md#twice-1) [folder](contracts/) [web](https://example.org/x) [here](#top)\n# Top",
    ],
    ["finds a missing file", "one\n\n[gone](docs/gone.md)", "3 links to docs/gone.md, which does not exist"],
    ["finds an anchor that is no heading", "[x](docs/guide.md#thrice)", "docs/guide.md#thrice, which is no"],
    ["finds a broken reference definition", "[x]: docs/gone.md", "docs/gone.md"],
    ["does not follow links in code", "`[x](gone.md)`\n\n```md\n[x](gone.md)\n```\n"],
    [
      "finds paths in code spans that do not exist",
      "`docs/gone.md` `contracts/gone/` `docs/guide.md` `contracts/proxy/` `contracts/*.sol` `waybill/client`",
      "1 names docs/gone.md, which does not exist",
      "1 names contracts/gone, which does not exist",
    ],
    [
      "finds commands that package.json does not have, in code too",
      "```sh\nnpm test\nnpm run demo\nnpm run nothing\n```\n",
      '4 names "npm run nothing", which package.json does not have',
    ],
  ]);

  it("reports a page of docs outside of the sidebar's folders, but not the start page", () => {
    const pages = ["docs/index.md", "docs/lost.md", "docs/how-to/pay.md"].map((path) => ({ path, text: "" }));
    const found = checkSidebar(pages, ["how-to"]);
    expect(found.map(({ file }) => file)).to.deep.equal(["docs/lost.md"]);
  });
});

describe("the check of tests that pages name", () => {
  const tests = [
    {
      path: "test/unit/a.test.ts",
      text: `it("refuses a wrong amount", () => {});\nit(\`refuses \${name} with \${code}\`, () => {});`,
    },
    { path: "test/solidity/A.t.sol", text: "    function test_AmountIsMeasured() external {}" },
  ];
  test(
    (text) => checkNamedTests([{ path: "docs/a.md", text }], tests),
    [
      [
        "finds tests by title, by a filled title and by one that wraps",
        '| "refuses a wrong amount" | "refuses a negative amount with INVALID_REQUEST" | "refuses … amount" |\n(`test/unit/a.test.ts`: "refuses a\nwrong amount")',
      ],
      [
        "reports a test that does not exist",
        'one\n| "accepts a wrong amount" |',
        '2 names the test "accepts a wrong amount", which does not exist',
      ],
      ["finds a Solidity test by its function", "The amount is measured (`test_AmountIsMeasured`)."],
      [
        "reports a Solidity test that does not exist",
        "one\nmeasured (`check_AmountIsMeasured`)",
        "2 names the test check_AmountIsMeasured, which does not exist",
      ],
      ["leaves quotations in prose alone", 'He said "this is not a test at all".'],
    ],
  );
});

describe("the check for secrets", () => {
  // Assembled from parts, so that this file does not match the check.
  const unknownKey = `0x${"12".repeat(32)}`;
  const testKey = ["0xac0974bec39a17e36ba4a6b4d238ff94", "4bacb478cbed5efcae784d7bf4f2ff80"].join("");
  const found = "holds a private key that is not one of the public test mnemonic's";
  test(
    (text) => checkSecrets([{ path: "src/a.ts", text }]),
    [
      [
        "accepts keys and words of the public test mnemonic, hashes and signatures",
        `const privateKey = "${testKey}";\nconst mnemonic = "${"test ".repeat(11)}junk";\nconst requestId = "${unknownKey}";`,
      ],
      ["finds another private key", `\nconst privateKey = "${unknownKey}";`, `2 ${found}`],
      ["finds a private key without its prefix", `PRIVATE_KEY=${unknownKey.slice(2)}`, `1 ${found}`],
      ["finds another mnemonic", `const words = "${"abandon ".repeat(11)}about";`, "mnemonic"],
      [
        "finds credentials, key files, registries and home folders",
        [
          `-----BEGIN EC ${"PRIVATE"} KEY-----`,
          `npm_${"a".repeat(36)}`,
          ["https://", "registry.", "npmjs.org/viem"].join(""),
          ["", "home", "alice", "waybill"].join("/"),
        ].join("\n"),
        "PEM form",
        "a credential",
        "a package registry",
        "a home folder",
      ],
      ["does not take a path inside the repository for a home folder", 'import "./pages/home/start.ts";'],
    ],
  );
});

describe("the check of the lockfile", () => {
  const incomplete: Lockfile = {
    packages: {
      "": {},
      "node_modules/edr": {
        version: "1.0.0",
        dev: true,
        optionalDependencies: { "edr-darwin-arm64": "1.0.0", "edr-linux-x64-musl": "1.0.0" },
      },
    },
  };

  it("native packages of other platforms that are not locked: are found, and added with the platform of their names", () => {
    expect(checkLockfile(incomplete)).to.have.length(2);
    const { packages } = completeLockfile(incomplete);
    expect(checkLockfile({ packages })).to.deep.equal([]);
    const platform = { cpu: ["arm64"], os: ["darwin"] };
    expect(packages["node_modules/edr-darwin-arm64"]).to.deep.include({ ...platform, optional: true });
    expect(packages["node_modules/edr-linux-x64-musl"]?.libc).to.deep.equal(["musl"]);
  });

  it("a registry's address: is found", () => {
    const packages = { "node_modules/a": { version: "1.0.0", resolved: "https://example.org/a-1.0.0.tgz" } };
    expect(checkLockfile({ packages })[0]?.message).to.include("node_modules/a names a registry");
  });
});

describe("the check of licences", () => {
  const packages = readPackages().slice(0, 1);
  const withLicence = (license: string): Lockfile => ({
    packages: {
      "": {
        dependencies: { a: "^1.0.0" },
        peerDependencies: { p: "^1.0.0" },
        peerDependenciesMeta: { p: { optional: true } },
      },
      "node_modules/a": {
        dependencies: { b: "^1.0.0" },
        license: "MIT",
        optionalDependencies: { c: "^1.0.0" },
      },
      "node_modules/a/node_modules/b": { license },
      "node_modules/b": { license: "GPL-2.0-only" },
      "node_modules/c": { license: "GPL-2.0-only", os: ["win32"] },
      "node_modules/p": { license: "ISC" },
    },
  });

  it("permissive dependencies of dependencies and optional peers: are listed, without builds for one platform", () => {
    const { page, problems } = reportLicences(withLicence("BSD-3-Clause"), packages);
    expect(problems).to.deep.equal([]);
    expect(page.text.match(/^\| [A-Z].*$/gm)).to.deep.equal([
      "| BSD-3-Clause | `b` |",
      "| MIT | `a` |",
      "| ISC | `p` |",
    ]);
  });

  it("a copyleft dependency of a dependency: is found", () => {
    const [problem] = reportLicences(withLicence("GPL-3.0-only"), packages).problems;
    expect(problem?.message).to.include("node_modules/a/node_modules/b has the licence GPL-3.0-only");
  });
});

describe("the check of the documentation of exports", () => {
  const good: Export = {
    documentation: "Approves.",
    examples: ['import { approve, type Call } from "waybill";\n\napprove();'],
    file: "src/calls/approve.ts",
    kind: "function",
    line: 3,
    name: "approve",
    signature: "function approve(): void",
    tags: [],
  };
  const silent = { documentation: "", examples: [], kind: "type" } as const;
  const rows: readonly (readonly [
    title: string,
    exports: readonly Partial<Export>[],
    ...problems: string[],
  ])[] = [
    ["accepts a function with sentence and example", [{}, { examples: [], kind: "type", name: "Call" }]],
    ["accepts a constant without an example", [{ examples: [], kind: "constant" }]],
    [
      "accepts parameters of an exported value without a sentence, and no others",
      [{}, { ...silent, name: "ApproveParameters" }, { ...silent, name: "SweepParameters" }],
      "SweepParameters, which nothing is said about",
    ],
    ["finds a value without a sentence", [{ documentation: " " }], "approve, which nothing is said about"],
    [
      "finds a function without an example, and a class with two",
      [{ examples: [] }, { examples: ["", ""], kind: "class", name: "Two" }],
      "approve, which has 0 examples instead of one",
      "Two, which has 2 examples instead of one",
    ],
    [
      "finds an example that does not import its subject from an entry point",
      [{ examples: ['import { approve } from "./approve.ts";'] }],
      "which has an example that does not import it",
    ],
  ];
  for (const [title, exports, ...problems] of rows) {
    it(title, () => {
      const entry = {
        exports: exports.map((each) => ({ ...good, ...each })),
        source: "",
        specifier: "waybill",
      };
      // A name that several entry points export is reported once.
      const found = checkDocumented([entry, { ...entry, specifier: "waybill/client" }]);
      expect(found).to.have.length(problems.length);
      for (const [i, part] of problems.entries()) expect(found[i]?.message).to.include(part);
    });
  }
});

describe("the check of copied blocks", () => {
  const sources = [{ path: "examples/a/pay.ts", text: "const a = 1;\nconst b = 2;\nconst c = 3;\n" }];
  test(
    (text) => checkCopiedBlocks([{ path: "docs/a.md", text }], sources),
    [
      [
        "passes lines of the named file, and blocks without a file",
        "```typescript examples/a/pay.ts\nconst b = 2;\nconst c = 3;\n```\n\n```ts\nother();\n```\n",
      ],
      [
        "finds a changed line and a file that does not exist",
        "```typescript examples/a/pay.ts\nconst b = 3;\n```\n\n```typescript examples/a/gone.ts\nconst b = 2;\n```\n",
        "1 shows lines that examples/a/pay.ts does not have",
        "5 shows lines that examples/a/gone.ts does not have",
      ],
    ],
  );
});

describe("the check of prose", () => {
  const long = `${"word ".repeat(19)}end.`;
  const page = (text: string) => [{ path: "docs/a.md", text }];

  it("counts sentences of twenty words outside code, tables and headings", () => {
    const text = `---\norder: 1\n---\n\n# ${long}\n\n${long} Short one.\n\n- ${long}\n\n| ${long} |\n\n\`\`\`text\n${long}\n\`\`\`\n`;
    expect(countProse(text)).to.deep.equal({ banned: 0, long: 2, sentences: 3 });
  });

  it("a page above its limits: is reported for both, and its limits stay", () => {
    const limits = { "docs/a.md": { banned: 0, long: 1 } };
    const { lowered, problems } = checkProse(page(`${long}\n\n${long}\n\nNobody pays.`), limits);
    expect(problems.map(({ message }) => message)).to.deep.equal([
      "has 2 sentences of 20 words and more; 1 are allowed",
      "has 1 banned words; 0 are allowed",
    ]);
    expect(lowered).to.deep.equal(limits);
  });

  it("a better page: lowers its limits", () => {
    const { lowered, problems } = checkProse(page("Short."), { "docs/a.md": { banned: 1, long: 4 } });
    expect(problems).to.deep.equal([]);
    expect(lowered).to.deep.equal({ "docs/a.md": { banned: 0, long: 0 } });
  });
});
