import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMochaTestRunner } from "@stryker-mutator/mocha-runner";
import { report } from "./tools.ts";

// Enough to meet each parameter of a function with a wrong one.
process.env["FUZZ_RUNS"] ??= "20";

type Runner = ReturnType<typeof createMochaTestRunner>;

/**
 * Stryker would start a new worker for each mutant in code that runs while the modules load, as `ignoreStatic` leaves only
 * what the tests run. The modules stay loaded: a runner that reloads them by itself gets no new worker.
 */
function createRunner(...injected: Parameters<typeof createMochaTestRunner>): Runner {
  return Object.assign(createMochaTestRunner(...injected), {
    capabilities: () => Promise.resolve({ reloadEnvironment: true }),
  });
}

type NodePath = {
  readonly node: {
    readonly callee?: { readonly name?: string };
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
    readonly type: string;
    readonly value?: unknown;
  };
  readonly parentPath: NodePath | null;
};

/** Functions whose texts are types of Solidity. */
const typeReaders = ["parseAbi", "typeMembers"];

const prose = "a text for people";

/** Leaves out texts for people: those with a space. Names, codes, paths and hexadecimal have none. */
function ignoreProse({ node, parentPath }: NodePath): string | undefined {
  const literal = node.type === "StringLiteral" ? [String(node.value)] : [];
  const texts = [...literal, ...(node.quasis ?? []).map(({ value }) => value.raw)];
  if (!texts.some((text) => text.includes(" "))) return undefined;
  const call = parentPath?.node.type === "ArrayExpression" ? parentPath.parentPath : parentPath;
  return typeReaders.includes(call?.node.callee?.name ?? "") ? undefined : prose;
}

type Result = {
  readonly config?: { readonly incremental?: boolean; readonly mutate?: readonly string[] };
  readonly files: Readonly<
    Record<
      string,
      { readonly mutants: readonly { readonly status: string; readonly statusReason?: string }[] }
    >
  >;
  readonly performance?: { readonly initialRun: number; readonly mutation: number; readonly setup: number };
};

/** Parts of `stryker.json`, by the start of a path. A file belongs to the first that fits. */
const parts: readonly (readonly [name: string, paths: RegExp])[] = [
  ["records and orders", /^src\/records\//],
  ["webhooks", /^src\/webhooks\//],
  ["proofs of quotes", /^src\/calls\//],
  ["transitions of requests and deposits", /transitions/i],
  ["amounts and swaps", /./],
];

/** Writes the figures of a whole run into `docs/reference/assurance.md`. */
function writeFigures({ config, files, performance: times }: Result): void {
  const settings = JSON.parse(readFileSync(join(import.meta.dirname, "stryker.json"), "utf8"));
  if (JSON.stringify(config?.mutate) !== JSON.stringify(settings.mutate)) return;
  const mutants = Object.entries(files).flatMap(([path, file]) => {
    const part = parts.find(([, paths]) => paths.test(path))?.[0];
    return file.mutants.map((mutant) => ({ ...mutant, part }));
  });
  const rows = [...parts.map(([name]) => name), "all"].map((name) => {
    const those = mutants.filter(({ part }) => part === name || name === "all");
    const count = (...wanted: readonly string[]) =>
      those.filter(({ status }) => wanted.includes(status)).length;
    const [killed, late, survived] = [count("Killed"), count("Timeout"), count("Survived", "NoCoverage")];
    const all = killed + late + survived;
    return { all, killed, late, name, score: (100 * (killed + late)) / all, survived };
  });
  const { initialRun = 0, mutation = 0, setup = 0 } = times ?? {};
  const minutes = Math.ceil((setup + initialRun + mutation) / 60_000);
  const left = mutants.filter(({ status }) => status === "Ignored");
  const texts = left.filter(({ statusReason }) => statusReason === prose).length;
  const lines = [
    // A run that takes results of an earlier one has another time.
    ...(config?.incremental === true ? [] : [`A run takes ${minutes} minutes on two cores.`]),
    `Left out are ${texts} texts and ${left.length - texts} faults of values that exist before a test.`,
    "",
    "| modules | mutants | killed by a test | by the time limit | survived | killed, % |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map(({ all, killed, late, name, score, survived }) => {
      return `| ${[name, all, killed, late, survived, score.toFixed(1)].join(" | ")} |`;
    }),
  ];
  const least = settings.thresholds.break;
  const low = rows.filter(({ score }) => !(score >= least));
  const figures = { command: "audit:mutation:ts", lines, name: "mutants of modules" };
  report({ figures, problems: low.map(({ name }) => `fewer than ${least} % are killed: ${name}`) });
}

/** Stryker finds its plugins by this name. */
export const strykerPlugins = [
  { kind: "Ignore", name: "prose", value: { shouldIgnore: ignoreProse } },
  {
    factory: Object.assign(createRunner, { inject: createMochaTestRunner.inject }),
    kind: "TestRunner",
    name: "mocha-loaded",
  },
  { kind: "Reporter", name: "figures", value: { onMutationTestReportReady: writeFigures } },
] as const;
