import { expect } from "chai";
import hre, { network } from "hardhat";
import { longestManagedNativeDeposit } from "../../../../bench/gas/managedPaths.ts";
import { steadyReceipt } from "../../../../bench/gas/Path.ts";
import { gasRows } from "../../../../bench/gas/rows.ts";

const { ethers } = await network.create();

// Coverage instruments the bytecode, so its gas figures are meaningless.
if (!hre.globalOptions.coverage) {
  describe("gas of a managed native deposit", () => {
    it("a managed native deposit with the longest amount, chain id and recipient stays within the gas target", async () => {
      const { send } = await longestManagedNativeDeposit(ethers);
      const { gasUsed } = await steadyReceipt(send);
      expect(Number(gasUsed)).to.be.at.most(gasRows["managed-native-deposit-every-policy"].target);
    });
  });
}
