/**
 * Rule: Solhint's recommended rules hold, except those that .solhint.json turns off; scripts/README.md says why.
 *
 * Published contracts allow a compiler range, because other projects compile them; mocks pin the exact version.
 * Interfaces need complete NatSpec. The service's stand-ins keep the names and errors of the originals.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runTool, type ToolResult } from "./runTool.ts";

type Rules = Record<string, unknown>;
type Group = { name: string; files: readonly string[]; rules: Rules };

const NATSPEC: Rules = {
  "use-natspec": [
    "error",
    {
      title: { enabled: true },
      author: { enabled: false },
      notice: { enabled: true },
      param: { enabled: true },
      return: { enabled: true },
    },
  ],
};

const GROUPS: readonly Group[] = [
  {
    name: "mocks",
    files: ["contracts/mocks/**/*.sol"],
    rules: {},
  },
  {
    // `transient` variables need 0.8.28.
    name: "proxy",
    files: ["contracts/proxy/**/*.sol"],
    rules: { "compiler-version": ["error", "^0.8.28"] },
  },
  {
    // A test may contain a harness, and cheatcodes keep their given names.
    name: "tests",
    files: ["test/solidity/**/*.sol"],
    rules: { "gas-custom-errors": "off", "interface-starts-with-i": "off", "one-contract-per-file": "off" },
  },
  {
    name: "importable",
    files: [
      "contracts/{examples,guard,libraries,receiver}/**/*.sol",
      "contracts/records/!(OrderTerms|ProtocolNames).sol",
    ],
    rules: { "compiler-version": ["error", "^0.8.24"] },
  },
  {
    // Aggregators still build with 0.8.17.
    name: "terms",
    files: ["contracts/records/{OrderTerms,ProtocolNames}.sol"],
    rules: { "compiler-version": ["error", "^0.8.17"] },
  },
  {
    name: "interfaces",
    files: ["contracts/interfaces/**/*.sol"],
    rules: { ...NATSPEC, "compiler-version": ["error", ">=0.8.4"] },
  },
  {
    name: "service",
    files: ["contracts/service/**/*.sol"],
    rules: {
      "compiler-version": ["error", "^0.8.28"],
      "contract-name-capwords": "off",
      "gas-custom-errors": "off",
    },
  },
  {
    name: "testing",
    files: ["contracts/testing/**/*.sol"],
    rules: { "compiler-version": ["error", "^0.8.28"] },
  },
];

export async function runSolhint(): Promise<ToolResult> {
  const base: { rules: Rules } = JSON.parse(readFileSync(join(root, ".solhint.json"), "utf8"));
  const folder = join(root, "cache", "solhint");
  mkdirSync(folder, { recursive: true });
  const results = await Promise.all(
    GROUPS.map(({ name, files, rules }) => {
      const config = join(folder, `${name}.json`);
      writeFileSync(config, JSON.stringify({ ...base, rules: { ...base.rules, ...rules } }));
      const flags = ["--disc", "--noPoster", "--noPrompt", "--formatter", "unix", "--max-warnings", "0"];
      return runTool(join("solhint", "solhint.js"), [...flags, "--config", config, ...files]);
    }),
  );
  const failed = results.filter(({ ok }) => !ok);
  const output = failed.map((result) => result.output).join("\n");
  return { ok: failed.length === 0, stdout: output, output };
}
