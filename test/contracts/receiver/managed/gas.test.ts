import { expect } from "chai";
import { type ContractTransactionResponse, MaxUint256 } from "ethers";
import hre, { network } from "hardhat";
import { accept, deployManagedStage, depositErc20, depositNative, managedTerms } from "./managedStage.ts";

const { ethers, networkHelpers } = await network.create();

// As of the table of the other paths.
const NATIVE_AMOUNT = 700_000_000_000_000_000n;
const TOKEN_AMOUNT = 123_456_789n;
const NATIVE_TARGET = 75_000;
// No target is set; this is today's figure, rounded up, so that a growth is noticed.
const TOKEN_CEILING = 89_100;

async function gasOf(sending: Promise<ContractTransactionResponse>): Promise<number> {
  const receipt = await (await sending).wait();
  if (receipt === null) throw new Error("The transaction was not mined.");
  return Number(receipt.gasUsed);
}

/** The first deposit warms what a first payment pays for, the second is the steady state. */
async function steadyGasOf(
  deposit: (requestNumber: number) => Promise<ContractTransactionResponse>,
): Promise<number> {
  await gasOf(deposit(1));
  return gasOf(deposit(2));
}

async function everyPolicyOn() {
  const stage = await deployManagedStage(ethers);
  const token = await ethers.deployContract("LocalToken", ["Local Dollar", "LUSD", 6, stage.owner.address]);
  await accept(stage, token);
  await token.mint(stage.depositor, 10n * TOKEN_AMOUNT);
  await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
  return { stage, token };
}

// Coverage instruments the bytecode, so its figures say nothing.
if (!hre.globalOptions.coverage) {
  describe("gas of ManagedReceiver with every policy on, in steady state", () => {
    it("of a native deposit is within its target", async () => {
      const { stage } = await networkHelpers.loadFixture(everyPolicyOn);
      const gas = await steadyGasOf(async (requestNumber) =>
        depositNative(
          stage,
          await managedTerms(stage, { amount: NATIVE_AMOUNT, requestNumber }),
          NATIVE_AMOUNT,
        ),
      );
      expect(gas).to.be.at.most(NATIVE_TARGET);
    });

    it("of a token deposit is that of a native one and the token's own", async () => {
      const { stage, token } = await networkHelpers.loadFixture(everyPolicyOn);
      const gas = await steadyGasOf(async (requestNumber) => {
        const terms = await managedTerms(stage, { currency: token, amount: TOKEN_AMOUNT, requestNumber });
        return depositErc20(stage, terms, token, TOKEN_AMOUNT);
      });
      expect(gas).to.be.at.most(TOKEN_CEILING);
    });
  });
}
