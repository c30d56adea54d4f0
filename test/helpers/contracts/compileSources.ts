import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root, with a slash at its end. */
export const repositoryRoot = fileURLToPath(new URL("../../..", import.meta.url));

const require = createRequire(import.meta.url);

type CompiledContract = {
  readonly abi: readonly object[];
  readonly evm: { readonly bytecode: { readonly object: string } };
};

/** The parts of the compiler's answer that the tests read. */
export type CompilerOutput = {
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
};

/**
 * Compiles in a process of its own, by default for cancun without optimizer or IR: the settings in which stacks run out
 * first.
 *
 * @param compiler Name of the compiler's package.
 * @param sources Sources by path.
 */
export function compileSources(
  compiler: string,
  sources: Readonly<Record<string, string>>,
  settings: object = {},
): CompilerOutput {
  const input = {
    language: "Solidity",
    settings: {
      evmVersion: "cancun",
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
      ...settings,
    },
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
  };
  const flags = [
    "--standard-json",
    "--base-path",
    repositoryRoot,
    "--include-path",
    `${repositoryRoot}node_modules`,
  ];
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
