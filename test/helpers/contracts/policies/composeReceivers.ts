import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { InterfaceAbi } from "ethers";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const require = createRequire(import.meta.url);

type Hook = { readonly parameters: string; readonly mutability: string; readonly returns: string };

const hooks = {
  _authorize: {
    parameters: "bytes32 id, address depositor, address currency, uint256 amount, bytes calldata policyData",
    mutability: "",
    returns: "bytes32",
  },
  _authorizeRecipient: { parameters: "uint256 chain, bytes32 account", mutability: "", returns: "bytes32" },
  _checkPolicy: {
    parameters: "uint256 index, Attempt calldata attempt",
    mutability: "view",
    returns: "bool",
  },
  _policyDataLength: { parameters: "", mutability: "pure", returns: "uint256" },
} as const satisfies Record<string, Hook>;

type HookName = keyof typeof hooks;

/** The hooks that each policy overrides. */
const policies = {
  CurrencyLimits: ["_authorize", "_checkPolicy"],
  ExpiryCoSignature: ["_authorize", "_checkPolicy", "_policyDataLength"],
  PausePolicy: ["_authorize", "_checkPolicy"],
  RecipientAllowListMapping: ["_authorizeRecipient", "_checkPolicy"],
  SolverSet: ["_checkPolicy"],
} as const satisfies Record<string, readonly HookName[]>;

export type PolicyName = keyof typeof policies;

/** Receivers that policies are inherited into; `RotatingReceiver` is the core with refunds that are forwarded. */
export type ReceiverName = "OrderReceiver" | "PinnedReceiver" | "RotatingReceiver";

const receivers: Readonly<Record<ReceiverName, { readonly bases: string; readonly call: string }>> = {
  OrderReceiver: {
    bases: "OrderReceiver",
    call: 'OrderReceiver(solver, depository, "base", block.chainid, owner)',
  },
  PinnedReceiver: {
    bases: "PinnedReceiver",
    call: "PinnedReceiver(solver, solver, IRecordReceiver.Binding.Receiver, owner)",
  },
  RotatingReceiver: {
    bases: "RecordReceiver, RefundForwarder",
    call: "RecordReceiver(IRecordReceiver.Binding.Receiver) RefundForwarder(owner, false)",
  },
};

/** A receiver with policies, listed before or after it, and optionally bodies of final overrides. */
export type Composition = {
  readonly receiver: ReceiverName;
  readonly policies: readonly PolicyName[];
  readonly policiesFirst?: boolean;
  /** Bodies of final overrides, instead of one that returns what `super` returns. */
  readonly bodies?: Partial<Record<HookName, string>>;
};

export function compositionName({ receiver, policies: listed, policiesFirst }: Composition): string {
  const bases = policiesFirst ? [...listed, receiver] : [receiver, ...listed];
  return bases.join("_");
}

function override(name: HookName, listed: readonly PolicyName[], body: string | undefined): string {
  const { parameters, mutability, returns } = hooks[name];
  const overriding = listed.filter((policy) => (policies[policy] as readonly HookName[]).includes(name));
  // Receivers know the hooks of deposits; `_checkPolicy` only policies have.
  const bases = name === "_checkPolicy" ? overriding : ["DepositPolicies", ...overriding];
  if (bases.length < 2 && body === undefined) return "";
  const names = parameters === "" ? [] : parameters.split(", ").map((each) => each.split(" ").at(-1));
  return `function ${name}(${parameters}) internal ${mutability} override${bases.length > 1 ? `(${bases.join(", ")})` : ""}
    returns (${returns}) { ${body ?? `return super.${name}(${names.join(", ")});`} }`;
}

function contractSource(composition: Composition): string {
  const { receiver, policies: listed, policiesFirst, bodies } = composition;
  const { bases, call } = receivers[receiver];
  const all = policiesFirst ? [...listed, bases] : [bases, ...listed];
  const owned = listed.length > 0 ? "TwoStepOwner(owner)" : "";
  const solvers = listed.includes("SolverSet") ? "SolverSet(0, _initial(solver))" : "";
  const overrides = (Object.keys(hooks) as HookName[]).map((name) => override(name, listed, bodies?.[name]));
  const initial = `function _initial(address solver) private pure returns (ISolverSet.InitialSolver[] memory list) {
    list = new ISolverSet.InitialSolver[](1);
    list[0] = ISolverSet.InitialSolver(solver, solver, false);
  }`;
  return `contract ${compositionName(composition)} is ${all.join(", ")} {
  constructor(address solver, address depository, address owner) ${call} ${owned} ${solvers} { depository; }
  ${overrides.join("\n  ")}
  ${listed.includes("SolverSet") ? initial : ""}
}`;
}

const imports = [
  'import {ISolverSet} from "contracts/interfaces/receiver/policies/ISolverSet.sol";',
  'import {IRecordReceiver} from "contracts/interfaces/receiver/IRecordReceiver.sol";',
  ...["DepositPolicies", "OrderReceiver", "PinnedReceiver", "RecordReceiver", "RefundForwarder"].map(
    (name) => `import {${name}} from "contracts/receiver/${name}.sol";`,
  ),
  ...[...Object.keys(policies), "TwoStepOwner"].map(
    (name) => `import {${name}} from "contracts/receiver/policies/${name}.sol";`,
  ),
];

export type Compiled = { readonly abi: InterfaceAbi; readonly bytecode: string };

type CompilerOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<string, Readonly<Record<string, { abi: InterfaceAbi; evm: { bytecode: { object: string } } }>>>
  >;
};

/** Compiles without optimizer or IR, the fastest and the settings in which stacks run out first. Throws the errors. */
export function composeReceivers(compositions: readonly Composition[]): Readonly<Record<string, Compiled>> {
  const content = [
    "// SPDX-License-Identifier: MIT",
    "pragma solidity ^0.8.24;",
    ...imports,
    ...compositions.map(contractSource),
  ].join("\n");
  const solc: { compile: (input: string, callbacks: object) => string } = require("solc");
  const output: CompilerOutput = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        settings: {
          evmVersion: "cancun",
          outputSelection: { "Composed.sol": { "*": ["abi", "evm.bytecode.object"] } },
        },
        sources: { "Composed.sol": { content } },
      }),
      {
        import: (path: string) => ({
          contents: readFileSync(
            `${root}${path.startsWith("contracts/") ? "" : "node_modules/"}${path}`,
            "utf8",
          ),
        }),
      },
    ),
  );
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return Object.fromEntries(
    Object.entries(output.contracts?.["Composed.sol"] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  );
}
