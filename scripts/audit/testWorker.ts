/**
 * Runs a file of Solidity tests over sources of which one may be mutated. Everything stays in memory.
 *
 * This is a process of its own, because a mutant may run without end: its parent kills it then.
 */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import {
  type Artifact,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkLatest,
  l1HardforkToString,
  l1SolidityTestRunnerFactory,
  type SuiteResult,
} from "@nomicfoundation/edr";
import solc from "solc";
import { solidityImports } from "../checks/imports/importGraph.ts";
import { root } from "../checks/runTool.ts";

/** A run of one test file. `mutated` replaces the source of one file. */
export type TestRequest = {
  readonly test: string;
  readonly mutated?: { readonly file: string; readonly text: string } | undefined;
};

/** The name of a failed test, or of the step that failed. */
export type TestAnswer =
  | { readonly outcome: "passed" }
  | { readonly outcome: "failed"; readonly by: string }
  | { readonly outcome: "not compiled"; readonly by: string };

type CompiledContract = {
  readonly abi: readonly { readonly type: string; readonly name?: string }[];
  readonly evm: Record<"bytecode" | "deployedBytecode", { readonly object: string }>;
};
type CompilerOutput = {
  readonly errors?: readonly { readonly severity: string; readonly message: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
};

const SOLC_VERSION = solc.version().split("+")[0] ?? "";
/** Ends loops without end. The tests need a tenth. */
const GAS_LIMIT = 1_000_000_000n;

const texts = new Map<string, string>();
const hardfork = l1HardforkLatest();
const context = new EdrContext();
const isReady = context.registerSolidityTestRunnerFactory(L1_CHAIN_TYPE, l1SolidityTestRunnerFactory());

function readSource(path: string): string {
  const isOwn = /^(?:contracts|test)\//.test(path);
  const text = texts.get(path) ?? readFileSync(join(root, isOwn ? "" : "node_modules", path), "utf8");
  texts.set(path, text);
  return text;
}

/** Adds a file and all that it imports. */
function addSources(path: string, mutated: TestRequest["mutated"], sources: Map<string, string>): void {
  if (sources.has(path)) return;
  const text = path === mutated?.file ? mutated.text : readSource(path);
  sources.set(path, text);
  for (const { target } of solidityImports({ path, text }))
    addSources(posix.normalize(target), mutated, sources);
}

function compile({ test, mutated }: TestRequest): CompilerOutput {
  const sources = new Map<string, string>();
  addSources(test, mutated, sources);
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([...sources].map(([path, content]) => [path, { content }])),
    settings: {
      evmVersion: "cancun",
      // Six times faster than the published settings: no optimizer, and no intermediate language.
      optimizer: { enabled: false },
      outputSelection: { [test]: { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  return JSON.parse(solc.compile(JSON.stringify(input)));
}

function toArtifacts(source: string, contracts: Readonly<Record<string, CompiledContract>>): Artifact[] {
  return Object.entries(contracts).map(([name, { abi, evm }]) => ({
    id: { name, source, solcVersion: SOLC_VERSION },
    contract: {
      abi: JSON.stringify(abi),
      bytecode: `0x${evm.bytecode.object}`,
      linkReferences: {},
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      deployedLinkReferences: {},
    },
  }));
}

async function runTests(artifacts: Artifact[]): Promise<SuiteResult[]> {
  await isReady;
  const suites = artifacts.filter(
    ({ contract }) => contract.bytecode !== "0x" && /"name":"(?:test|invariant)/.test(contract.abi),
  );
  if (suites.length === 0) throw new Error("The file has no test.");
  const results: SuiteResult[] = [];
  const isDone = Promise.withResolvers<void>();
  await context.runSolidityTests(
    L1_CHAIN_TYPE,
    artifacts,
    suites.map(({ id }) => id),
    {
      projectRoot: root,
      hardfork: l1HardforkToString(hardfork),
      localPredeploys: l1GenesisState(hardfork),
      gasLimit: GAS_LIMIT,
      disableBlockGasLimit: true,
      disableTransactionGasCap: true,
      // The seed makes a result repeatable; shrinking would only make its explanation shorter.
      fuzz: { runs: 64, seed: "0x1" },
      invariant: { runs: 8, depth: 32, failOnRevert: true, shrinkRunLimit: 0 },
    },
    { buildInfos: [], ignoreContracts: true },
    (result) => {
      results.push(result);
      if (results.length === suites.length) isDone.resolve();
    },
  );
  await isDone.promise;
  return results;
}

async function answer(request: TestRequest): Promise<TestAnswer> {
  const { contracts, errors = [] } = compile(request);
  const error = errors.find(({ severity }) => severity === "error");
  if (error !== undefined) return { outcome: "not compiled", by: error.message };
  const results = await runTests(toArtifacts(request.test, contracts?.[request.test] ?? {}));
  const failed = results.flatMap(({ testResults }) => testResults).find(({ status }) => status === "Failure");
  return failed === undefined ? { outcome: "passed" } : { outcome: "failed", by: failed.name };
}

process.on("message", (request: TestRequest) => {
  void answer(request).then((result) => process.send?.(result));
});
