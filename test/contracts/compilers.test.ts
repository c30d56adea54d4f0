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

/** Hooks of `DepositPolicies` that each policy overrides. */
const POLICIES: Readonly<Record<string, readonly Hook[]>> = {
  CurrencyLimits: ["_authorize"],
  ExpiryCoSignature: ["_authorize", "_policyDataLength"],
  PausePolicy: ["_authorize"],
  RecipientAllowListMapping: ["_authorizeRecipient"],
};

/** Receivers that take policies, with arguments of their constructors. */
const RECEIVERS: Readonly<Record<string, string>> = {
  OrderReceiver: 'msg.sender, msg.sender, "base", block.chainid, msg.sender',
  PinnedReceiver: "msg.sender, msg.sender, Binding.Receiver, msg.sender",
};

type Hook = keyof typeof HOOKS;

/** Parameters, mutability and result of a hook, and the arguments to pass on. */
const HOOKS = {
  _authorize: [
    "bytes32 id, address depositor, address currency, uint256 amount, bytes calldata policyData",
    "internal",
    "bytes32",
    "id, depositor, currency, amount, policyData",
  ],
  _authorizeRecipient: ["uint256 chain, bytes32 account", "internal", "bytes32", "chain, account"],
  _checkPolicy: ["uint256 index, Attempt calldata attempt", "internal view", "bool", "index, attempt"],
  _policyDataLength: ["", "internal pure", "uint256", ""],
} as const;

/** An integrator's receiver with policies, as `IDepositPolicies` describes it. */
function writeReceiver(receiver: string, policies: readonly string[]): string {
  const overriding = (hook: Hook) =>
    policies.filter((policy) => hook === "_checkPolicy" || POLICIES[policy]?.includes(hook));
  const hooks = (Object.keys(HOOKS) as Hook[]).filter((hook) => overriding(hook).length > 0);
  const overrides = hooks.map((hook) => {
    const [parameters, mutability, result, given] = HOOKS[hook];
    const bases = ["DepositPolicies", ...overriding(hook)].join(", ");
    return `function ${hook}(${parameters}) ${mutability} override(${bases}) returns (${result}) {
      return super.${hook}(${given});
    }`;
  });
  return `contract ${receiver}With${policies.join("")} is ${[receiver, ...policies].join(", ")} {
    constructor() ${receiver}(${RECEIVERS[receiver]}) TwoStepOwner(msg.sender) {}
    ${overrides.join("\n")}
  }`;
}

/** A file with each receiver under each policy alone, and under all of them. */
function writeReceivers(): string {
  const names = Object.keys(POLICIES);
  const contracts = Object.keys(RECEIVERS).flatMap((receiver) =>
    [...names.map((name) => [name]), names].map((policies) => writeReceiver(receiver, policies)),
  );
  const files = ["DepositPolicies", ...Object.keys(RECEIVERS)].concat(
    [...names, "TwoStepOwner"].map((name) => `policies/${name}`),
  );
  const imports = files.map((file) => `import "contracts/receiver/${file}.sol";`);
  return ["// SPDX-License-Identifier: MIT", "pragma solidity ^0.8.24;", ...imports, ...contracts].join("\n");
}

/** Compiles in a process of its own, without optimizer or IR: the settings in which stacks run out first. */
function compile(
  compiler: string,
  paths: readonly string[],
  written: Readonly<Record<string, string>> = {},
): CompilerOutput {
  const input = {
    language: "Solidity",
    settings: { evmVersion: "cancun", outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
    sources: Object.fromEntries([
      ...paths.map((path) => [path, { content: readFileSync(`${root}${path}`, "utf8") }]),
      ...Object.entries(written).map(([path, content]) => [path, { content }]),
    ]),
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
      expect(Object.keys(contracts)).to.include.members(paths);
    });
  }

  it("receivers with each policy, and with all, compile with the lowest compiler", () => {
    const { contracts = {}, errors = [] } = compile("solc-lowest", [], { "Receivers.sol": writeReceivers() });

    const failures = errors.filter(({ severity }) => severity === "error");
    expect(failures.map(({ formattedMessage }) => formattedMessage)).to.deep.equal([]);
    const expected = Object.keys(RECEIVERS).length * (Object.keys(POLICIES).length + 1);
    expect(Object.keys(contracts["Receivers.sol"] ?? {})).to.have.lengthOf(expected);
  });

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
