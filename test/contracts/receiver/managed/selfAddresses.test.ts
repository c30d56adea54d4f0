import { expect } from "chai";
import { getCreateAddress } from "ethers";
import { network } from "hardhat";
import { type Configuration, managedConfiguration } from "../../../helpers/contracts/managedStage.ts";
import { solver } from "../../../helpers/contracts/receiverStage.ts";

const { ethers } = await network.create();

/** A receiver whose configuration may name the address it will have. */
async function deployNaming(overrides: (self: string) => Partial<Configuration>) {
  const [owner] = await ethers.getSigners();
  if (!owner) throw new Error("The local chain has no accounts.");
  const self = getCreateAddress({ from: owner.address, nonce: await owner.getNonce() });
  const configuration = managedConfiguration(owner.address, overrides(self));
  const factory = await ethers.getContractFactory("ManagedReceiver");
  return { deploying: factory.deploy(configuration), factory, self };
}

describe("ManagedReceiver that names its own address", () => {
  const cases: [string, string, (self: string) => Partial<Configuration>][] = [
    ["owner", "OwnerCannotAct", (owner) => ({ owner })],
    ["co-signer", "CoSignerCannotSign", (coSigner) => ({ coSigner })],
    [
      "solver",
      "RecipientCannotHold",
      (self) => ({ solvers: [{ solver: self, nativePayee: solver.address, usesErc1271: true }] }),
    ],
    [
      "native payee",
      "RecipientCannotHold",
      (self) => ({ solvers: [{ solver: solver.address, nativePayee: self, usesErc1271: false }] }),
    ],
  ];
  for (const [role, error, overrides] of cases) {
    it(`rejects deployment with the receiver as its own ${role}`, async () => {
      const { deploying, factory, self } = await deployNaming(overrides);
      await expect(deploying).to.be.revertedWithCustomError(factory, error).withArgs(self);
    });
  }
});
