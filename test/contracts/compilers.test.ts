import { execFileSync } from "node:child_process";
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

/** Folders that other projects import, with the compiler that their pragma names as the lowest. */
const PUBLISHED = [
  {
    compiler: "solc-lowest",
    folders: ["guard", "interfaces", "libraries", "receiver", "records"],
    lowest: "0.8.24",
  },
  { compiler: "solc-transient", folders: ["proxy", "service", "testing"], lowest: "0.8.28" },
] as const;

type CompilerOutput = {
  readonly contracts?: Readonly<Record<string, object>>;
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
};

/** Compiles in a process of its own, without optimizer or IR: the settings in which stacks run out first. */
function compile(compiler: string, paths: readonly string[]): CompilerOutput {
  const input = {
    language: "Solidity",
    settings: { evmVersion: "cancun", outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
    sources: Object.fromEntries(
      paths.map((path) => [path, { content: readFileSync(`${root}${path}`, "utf8") }]),
    ),
  };
  const flags = ["--standard-json", "--base-path", root, "--include-path", `${root}node_modules`];
  // Files for input and output: with pipes, the command would read a part of its input and lose a part of its output.
  const folder = mkdtempSync(join(tmpdir(), "waybill-compiler-"));
  const [question, answer] = [join(folder, "input.json"), join(folder, "output.json")];
  try {
    writeFileSync(question, JSON.stringify(input));
    const [read, written] = [openSync(question, "r"), openSync(answer, "w")];
    execFileSync(process.execPath, [require.resolve(`${compiler}/solc.js`), ...flags], {
      stdio: [read, written, "inherit"],
    });
    closeSync(read);
    closeSync(written);
    const output = readFileSync(answer, "utf8");
    // The command may print a line of its own before the answer.
    return JSON.parse(output.slice(output.indexOf("{")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("contracts that other projects compile", () => {
  for (const { compiler, folders, lowest } of PUBLISHED) {
    it(`published contracts compile with ${lowest}, the lowest compiler that ${folders.join(", ")} allow`, () => {
      const paths = globSync(
        folders.map((folder) => `contracts/${folder}/**/*.sol`),
        { cwd: root },
      );
      const { contracts = {}, errors = [] } = compile(compiler, paths);

      const failures = errors.filter(({ severity }) => severity === "error");
      expect(failures.map(({ formattedMessage }) => formattedMessage)).to.deep.equal([]);
      // A file may declare structs alone.
      const declaring = paths.filter((path) =>
        /^(?:abstract contract|contract|interface|library) /m.test(readFileSync(`${root}${path}`, "utf8")),
      );
      expect(Object.keys(contracts)).to.include.members(declaring);
    });
  }

  it("the pragmas of published contracts name no compiler above the two lowest", () => {
    const paths = globSync(
      "contracts/{guard,interfaces,libraries,proxy,receiver,records,service,testing}/**/*.sol",
      {
        cwd: root,
      },
    );
    const pragmas = paths.map(
      (path) => /^pragma solidity (.+);$/m.exec(readFileSync(`${root}${path}`, "utf8"))?.[1],
    );
    expect([...new Set(pragmas)].toSorted()).to.deep.equal([">=0.8.4", "^0.8.24", "^0.8.28"]);
  });
});
