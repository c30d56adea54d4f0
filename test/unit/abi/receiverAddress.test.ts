import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "chai";
import { type Hex, keccak256 } from "viem";
import {
  creationCodeHashes,
  deployments,
  pinnedReceiverAbi,
  receiverAddress,
} from "../../../src/abi/index.ts";

const fromPackage = createRequire(import.meta.url);
const solver = `0x${"11".repeat(20)}` as const;

function artifact(name: string, folder: string): { bytecode: Hex; deployedBytecode: Hex } {
  const path = `../../../artifacts/contracts/${folder}/${name}.sol/${name}.json`;
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

const addressOf = (bytecode: Hex) =>
  receiverAddress({ abi: pinnedReceiverAbi, args: [solver, solver, 0, solver], bytecode });

describe("receiverAddress", () => {
  it("given bytecode of no receiver, names the artifacts to take it from", () => {
    const { deployedBytecode } = artifact("PinnedReceiver", "receiver");
    const other = artifact("BalanceProxy", "proxy").bytecode;
    for (const bytecode of [undefined as never, "0x", deployedBytecode, other, {} as never] as Hex[]) {
      expect(() => addressOf(bytecode))
        .to.throw("`bytecode` is invalid")
        .with.property("message")
        .which.includes("`waybill/artifacts/PinnedReceiver.json`");
    }
  });

  it("given runtime code, says that creation code is needed", () => {
    const { bytecode, deployedBytecode } = artifact("PinnedReceiver", "receiver");
    expect(() => addressOf(deployedBytecode)).to.throw("not its `deployedBytecode`");
    expect(addressOf(bytecode)).to.match(/^0x[0-9a-fA-F]{40}$/);
  });

  it("takes the bytecode of the package's own artifacts, which are exported by the name of the contract", () => {
    for (const [name, hash] of Object.entries(creationCodeHashes)) {
      const { bytecode } = fromPackage(`waybill/artifacts/${name}.json`) as { bytecode: Hex };
      expect(keccak256(bytecode), name).to.equal(hash);
    }
    for (const name of Object.keys(deployments)) {
      expect(fromPackage(`waybill/artifacts/${name}.json`), name).to.have.property("contractName", name);
    }
  });
});
