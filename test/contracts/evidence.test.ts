import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import hre, { artifacts } from "hardhat";
import { type Hex, keccak256, size } from "viem";

/** Every contract that is meant for public chains. */
const DEPLOYABLE = [
  { name: "BalanceExecutor", source: "contracts/proxy/BalanceExecutor.sol" },
  { name: "BalanceProxy", source: "contracts/proxy/BalanceProxy.sol" },
  { name: "ManagedReceiver", source: "contracts/receiver/ManagedReceiver.sol" },
  { name: "ManagedReceiverLens", source: "contracts/receiver/ManagedReceiverLens.sol" },
  { name: "OutputGuard", source: "contracts/guard/OutputGuard.sol" },
  { name: "OrderReceiver", source: "contracts/receiver/OrderReceiver.sol" },
  { name: "PinnedReceiver", source: "contracts/receiver/PinnedReceiver.sol" },
  { name: "RecordVerifier", source: "contracts/records/RecordVerifier.sol" },
] as const;

/** The largest code, in bytes, that a change may reach: room for fixes below the 24,576 of EIP-170. */
const MAXIMUM_SIZE = 22_000;

/** Metadata that the compiler appends: the CBOR map `{ solc: 0.8.37 }` and its length. */
const METADATA = "a164736f6c6343000825000a";

const BYTECODE = new URL("../snapshots/bytecode.json", import.meta.url);
const STORAGE = new URL("../snapshots/storage.json", import.meta.url);

type Bytecode = { readonly deployedSize: number; readonly initCodeHash: Hex };
type Variable = {
  readonly label: string;
  readonly slot: string;
  readonly offset: number;
  readonly type: string;
};
type Storage = { readonly persistent: readonly Variable[]; readonly transient: readonly Variable[] };
type Layout = {
  readonly storage: readonly Variable[];
  readonly types: Readonly<Record<string, { readonly label: string }>> | null;
};
type CompiledContract = { readonly storageLayout: Layout; readonly transientStorageLayout: Layout };
type BuildOutput = {
  readonly output: {
    readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
  };
};

async function bytecodeOf(name: string): Promise<Bytecode> {
  const { bytecode, deployedBytecode } = await artifacts.readArtifact(name);
  return { deployedSize: size(deployedBytecode as Hex), initCodeHash: keccak256(bytecode as Hex) };
}

/** Types go by their names: the compiler's own numbers change with every other contract. */
function variablesOf({ storage, types }: Layout): readonly Variable[] {
  return storage.map(({ label, slot, offset, type }) => ({
    label,
    slot,
    offset,
    type: types?.[type]?.label ?? type,
  }));
}

async function storageOf(name: string, source: string): Promise<Storage> {
  const id = await artifacts.getBuildInfoId(name);
  const path = id === undefined ? undefined : await artifacts.getBuildInfoOutputPath(id);
  if (path === undefined) throw new Error(`The build of ${name} is not there.`);
  const { output } = JSON.parse(readFileSync(path, "utf8")) as BuildOutput;
  const compiled = output.contracts[`project/${source}`]?.[name];
  if (compiled === undefined) throw new Error(`The build has no ${name}.`);
  return {
    persistent: variablesOf(compiled.storageLayout),
    transient: variablesOf(compiled.transientStorageLayout),
  };
}

async function measured<Value>(
  measure: (contract: (typeof DEPLOYABLE)[number]) => Promise<Value>,
  snapshot: URL,
): Promise<Readonly<Record<string, Value>>> {
  const entries: [string, Value][] = [];
  for (const contract of DEPLOYABLE) entries.push([contract.name, await measure(contract)]);
  const values = Object.fromEntries(entries);
  if (process.env.UPDATE_SNAPSHOTS === "1") {
    writeFileSync(snapshot, `${JSON.stringify(values, null, 2)}\n`);
  }
  return values;
}

function readSnapshot(snapshot: URL): unknown {
  return JSON.parse(readFileSync(snapshot, "utf8"));
}

// Coverage instruments the bytecode, so neither code nor size equals the deployed one.
if (!hre.globalOptions.coverage) {
  describe("code of the deployable contracts", () => {
    let code: Readonly<Record<string, Bytecode>>;
    before("reading", async () => {
      code = await measured(({ name }) => bytecodeOf(name), BYTECODE);
    });

    it("the bytecode of each deployable contract equals the snapshot, byte for byte", () => {
      expect(code).to.deep.equal(readSnapshot(BYTECODE));
    });

    it("a build for deployment has the tests' settings and gives the same bytecode", () => {
      const { default: tested, production } = hre.config.solidity.profiles;
      expect(production?.compilers).to.deep.equal(tested?.compilers);
      expect(production?.isolated).to.equal(tested?.isolated);
    });

    for (const { name } of DEPLOYABLE) {
      it(`the code of ${name} has at most ${MAXIMUM_SIZE} bytes`, () => {
        expect(code[name]?.deployedSize).to.be.greaterThan(0).and.at.most(MAXIMUM_SIZE);
      });

      it(`the code of ${name} ends with the compiler's version and no source hash, so comments cannot move its address`, async () => {
        const { deployedBytecode } = await artifacts.readArtifact(name);
        expect(deployedBytecode.slice(-METADATA.length)).to.equal(METADATA);
      });
    }
  });

  describe("storage of the deployable contracts", () => {
    let storage: Readonly<Record<string, Storage>>;
    before("reading", async () => {
      storage = await measured(({ name, source }) => storageOf(name, source), STORAGE);
    });

    it("the storage layout of each deployable contract equals the snapshot", () => {
      expect(storage).to.deep.equal(readSnapshot(STORAGE));
    });

    it("the storage of a PinnedReceiver holds the consumed requests and nothing else", () => {
      const variables = storage.PinnedReceiver?.persistent ?? [];
      expect(variables.map(({ type }) => type)).to.deep.equal([
        "mapping(bytes32 => struct RefundReceiver.Entry)",
      ]);
    });

    for (const name of [
      "BalanceExecutor",
      "BalanceProxy",
      "ManagedReceiverLens",
      "OutputGuard",
      "RecordVerifier",
    ]) {
      it(`${name} has no storage`, () => {
        expect(storage[name]?.persistent).to.deep.equal([]);
      });
    }
  });
}
