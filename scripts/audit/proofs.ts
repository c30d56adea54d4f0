/**
 * Proves the properties of `test/proofs` with Halmos. Then mutates the contracts, and requires that each proof fails for its mutants.
 *
 * `-- [--without-mutants] [names]` leaves the mutants out, or proves the named properties alone. Both leave the figures as they are.
 */
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../checks/runTool.ts";
import { report, runAuditTool } from "./tools.ts";

/** One edit of a contract. */
type Mutant = { readonly file: string; readonly from: string; readonly to: string };
type Proof = {
  readonly contract: string;
  readonly name: string;
  /** Lengths that Halmos tries. */
  readonly bounds: string;
  readonly mutants: readonly Mutant[];
};
type HalmosTest = {
  readonly name: string;
  /** 0 if proved, 1 if refuted; other numbers if neither. */
  readonly exitcode: number;
  readonly num_bounded_loops: number | null;
};
type HalmosReport = { readonly test_results: Readonly<Record<string, readonly HalmosTest[]>> };

const SOURCES = ["contracts", "test/proofs", "examples/foundry/solc.mjs", "foundry.toml", "remappings.txt"];
/** A proof with the lines of comment above it. */
const PROOF = /((?: *\/\/\/.*\n)*) *function (check_\w+)/g;
/** The length of one argument or member, or several in braces. */
const NAMED_LENGTHS = /([\w.]+)=(?:\{([\d,]+)\}|(\d+))/g;
const MUTANT = /@custom:mutant (\S+): (.+) -> (.+)/g;
const SLOTS = 2;

function readProofs(file: string): Proof[] {
  const text = readFileSync(join(root, file), "utf8");
  const contract = /^contract (\w+Proofs) /m.exec(text)?.[1] ?? "";
  const toText = (part = "") => part.replaceAll("\\n", "\n");
  return [...text.matchAll(PROOF)].map(([, comment = "", name = ""]) => {
    const mutants = [...comment.matchAll(MUTANT)].map(([, mutated = "", from, to]) => ({
      file: mutated,
      from: toText(from),
      to: toText(to),
    }));
    const [, bytes] = /--default-bytes-lengths (\S+)/.exec(comment) ?? [];
    const [, lists] = /--default-array-lengths (\S+)/.exec(comment) ?? [];
    const [, named = ""] = / --array-lengths (\S+)/.exec(comment) ?? [];
    const bounds = [
      bytes && `bytes of ${bytes}`,
      lists && `lists of ${lists}`,
      ...Array.from(named.matchAll(NAMED_LENGTHS), ([, name, many, one]) => `\`${name}\` of ${many ?? one}`),
    ].filter((each) => each !== undefined);
    return { bounds: bounds.join("; ").replaceAll(",", ", "), contract, mutants, name };
  });
}

/** A copy of the sources, with a mutant. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "waybill-proofs-"));
  for (const path of SOURCES) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Runs one proof over the sources of a folder. A loop that Halmos cut makes it neither proved nor refuted. */
async function prove(cwd: string, { contract, name }: Proof): Promise<"proved" | "refuted" | "neither"> {
  const env = { FOUNDRY_PROFILE: "proofs" };
  const output = "halmos.json";
  // Halmos goes on with older artifacts if the build fails.
  await runAuditTool(["forge", "build", "--offline"], { cwd, env });
  const chosen = ["--contract", contract, "--match-test", `^${name}\\(`];
  const limits = [
    "--loop",
    "256",
    "--solver-timeout-assertion",
    "300s",
    "--solver-threads",
    "1",
    "--early-exit",
  ];
  const paths = ["--forge-build-out", join("cache", "forge", "out"), "--json-output", output, "--no-status"];
  await runAuditTool(["halmos", ...chosen, ...limits, ...paths], { codes: [0, 1], cwd, env });
  const { test_results: results }: HalmosReport = JSON.parse(readFileSync(join(cwd, output), "utf8"));
  const [test] = Object.values(results).flat();
  if (test?.exitcode === 1) return "refuted";
  return test?.exitcode === 0 && test.num_bounded_loops === 0 ? "proved" : "neither";
}

/** Returns what is wrong with a proof and its mutants. */
async function judge(copy: string, proof: Proof): Promise<string[]> {
  if (proof.mutants.length === 0) return [`${proof.name} names no mutant`];
  const outcome = await prove(copy, proof);
  if (outcome !== "proved") return [`${proof.name} is ${outcome}`];
  const problems: string[] = [];
  for (const { file, from, to } of values["without-mutants"] ? [] : proof.mutants) {
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    const parts = text.split(from);
    if (parts.length !== 2) problems.push(`${file} has ${parts.length - 1} times, not once: ${from}`);
    writeFileSync(path, parts.join(to));
    const ofMutant = await prove(copy, proof);
    if (ofMutant !== "refuted") problems.push(`${proof.name} is ${ofMutant} for ${file}: ${from} -> ${to}`);
    writeFileSync(path, text);
  }
  return problems;
}

const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: { "without-mutants": { default: false, type: "boolean" } },
});
const all = globSync("test/proofs/*.t.sol", { cwd: root }).sort().flatMap(readProofs);
const proofs = named.length === 0 ? all : all.filter(({ name }) => named.includes(name));
const problems: string[] = [];
const waiting = proofs.values();
await Promise.all(
  Array.from({ length: SLOTS }, async () => {
    const copy = copySources();
    for (const proof of waiting) {
      const start = performance.now();
      const found = await judge(copy, proof);
      problems.push(...found);
      const seconds = Math.round((performance.now() - start) / 1_000);
      process.stdout.write(
        `${proof.contract}.${proof.name}: ${found.length === 0 ? "proved" : "failed"} in ${seconds} s\n`,
      );
    }
    rmSync(copy, { force: true, recursive: true });
  }),
);
const rows = proofs.map(
  ({ bounds, contract, mutants, name }) => `| \`${contract}.${name}\` | ${bounds} | ${mutants.length} |`,
);
const count = proofs.reduce((sum, { mutants }) => sum + mutants.length, 0);
const lines = [
  `${proofs.length} proofs; each fails for its mutants, ${count} together.`,
  "",
  "| proof | lengths | mutants |",
  "| --- | --- | --- |",
  ...rows,
];
if (named.length === 0 && !values["without-mutants"])
  report({ figures: { lines, name: "proofs" }, problems });
else {
  process.stdout.write(problems.map((problem) => `${problem}\n`).join(""));
  if (problems.length > 0) process.exitCode = 1;
}
