import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { compileSources, repositoryRoot as root } from "../helpers/contracts/compileSources.ts";

/** Folders that other projects import, with the compiler that their pragma names as the lowest. */
const PUBLISHED = [
  {
    compiler: "solc-lowest",
    folders: ["guard", "interfaces", "libraries", "receiver", "records"],
    lowest: "0.8.24",
  },
  { compiler: "solc-transient", folders: ["proxy", "service", "testing"], lowest: "0.8.28" },
] as const;

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
  // A receiver knows the hooks of deposits too, so one policy already needs their override.
  const least = (hook: Hook) => (hook === "_checkPolicy" ? 2 : 1);
  const hooks = (Object.keys(HOOKS) as Hook[]).filter((hook) => overriding(hook).length >= least(hook));
  const overrides = hooks.map((hook) => {
    const [parameters, mutability, result, given] = HOOKS[hook];
    const bases = [...(hook === "_checkPolicy" ? [] : ["DepositPolicies"]), ...overriding(hook)].join(", ");
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

function readSources(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, readFileSync(`${root}${path}`, "utf8")]));
}

describe("contracts that other projects compile", () => {
  for (const { compiler, folders, lowest } of PUBLISHED) {
    it(`published contracts compile with ${lowest}, the lowest compiler that ${folders.join(", ")} allow`, () => {
      const paths = globSync(
        folders.map((folder) => `contracts/${folder}/**/*.sol`),
        { cwd: root },
      );
      const { contracts = {}, errors = [] } = compileSources(compiler, readSources(paths));

      const failures = errors.filter(({ severity }) => severity === "error");
      expect(failures.map(({ formattedMessage }) => formattedMessage)).to.deep.equal([]);
      // A file may declare structs alone.
      const declaring = paths.filter((path) =>
        /^(?:abstract contract|contract|interface|library) /m.test(readFileSync(`${root}${path}`, "utf8")),
      );
      expect(Object.keys(contracts)).to.include.members(declaring);
    });
  }

  it("receivers with each policy, and with all, compile with the lowest compiler", () => {
    const { contracts = {}, errors = [] } = compileSources("solc-lowest", {
      "Receivers.sol": writeReceivers(),
    });

    const failures = errors.filter(({ severity }) => severity === "error");
    expect(failures.map(({ formattedMessage }) => formattedMessage)).to.deep.equal([]);
    const expected = Object.keys(RECEIVERS).length * (Object.keys(POLICIES).length + 1);
    expect(Object.keys(contracts["Receivers.sol"] ?? {})).to.have.lengthOf(expected);
  });

  it("a receiver with one solver and a set of solvers: does not compile", () => {
    for (const receiver of Object.keys(RECEIVERS)) {
      const source = `// SPDX-License-Identifier: MIT
        pragma solidity ^0.8.24;
        import "contracts/receiver/${receiver}.sol";
        import "contracts/receiver/policies/SolverSet.sol";
        abstract contract Two is ${receiver}, SolverSet {}`;
      const { errors = [] } = compileSources("solc-lowest", { "Two.sol": source });
      expect(errors.map(({ formattedMessage }) => formattedMessage).join()).to.include("_checkSolver");
    }
  });

  it("OrderTerms and ProtocolNames compile with 0.8.17 for london, without IR and without optimizer", () => {
    const paths = ["contracts/records/OrderTerms.sol", "contracts/records/ProtocolNames.sol"];
    const { contracts = {}, errors = [] } = compileSources("solc-order-terms", readSources(paths), {
      evmVersion: "london",
    });
    expect(errors.map(({ formattedMessage }) => formattedMessage)).to.deep.equal([]);
    expect(Object.keys(contracts)).to.have.members(paths);
  });

  it("the facet and the vault of the examples compile with 0.8.24, without IR and without optimizer", () => {
    const paths = ["contracts/examples/OrderFacet.sol", "contracts/examples/OrderVault.sol"];
    const { contracts = {}, errors = [] } = compileSources("solc-lowest", readSources(paths));
    expect(errors.filter(({ severity }) => severity === "error")).to.deep.equal([]);
    expect(Object.keys(contracts)).to.include.members(paths);
  });

  it("the pragmas of published contracts name no compiler but the lowest", () => {
    const paths = globSync(
      "contracts/{guard,interfaces,libraries,proxy,receiver,records,service,testing}/**/*.sol",
      {
        cwd: root,
      },
    );
    const pragmas = paths.map(
      (path) => /^pragma solidity (.+);$/m.exec(readFileSync(`${root}${path}`, "utf8"))?.[1],
    );
    expect([...new Set(pragmas)].toSorted()).to.deep.equal([">=0.8.4", "^0.8.17", "^0.8.24", "^0.8.28"]);
  });
});
