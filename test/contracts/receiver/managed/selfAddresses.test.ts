import { expect } from "chai";
import { getCreateAddress } from "ethers";
import { network } from "hardhat";
import {
  ACTIVATION_DELAY,
  type Configuration,
  deployManagedStage,
  managedConfiguration,
  nextSolver,
} from "../../../helpers/contracts/managedStage.ts";
import { solver } from "../../../helpers/contracts/receiverStage.ts";

const { ethers, networkHelpers } = await network.create();

async function stageOnly() {
  return deployManagedStage(ethers);
}

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

  it("rejects the receiver as a solver or native payee, whose deposits it would keep", async () => {
    const { receiver } = await networkHelpers.loadFixture(stageOnly);
    const self = await receiver.getAddress();
    const start = BigInt(await networkHelpers.time.latest()) + ACTIVATION_DELAY + 60n;
    for (const [added, payee] of [
      [self, nextSolver.address],
      [nextSolver.address, self],
    ] as const) {
      await expect(receiver.addSolver(added, payee, start, false))
        .to.be.revertedWithCustomError(receiver, "RecipientCannotHold")
        .withArgs(self);
    }
    await receiver.addSolver(nextSolver, nextSolver, start, false);
  });

  it("rejects the receiver as its co-signer, which could never sign", async () => {
    const { receiver } = await networkHelpers.loadFixture(stageOnly);
    const self = await receiver.getAddress();
    await expect(receiver.setCoSigner(self))
      .to.be.revertedWithCustomError(receiver, "CoSignerCannotSign")
      .withArgs(self);
    await receiver.setCoSigner(nextSolver);
  });
});
