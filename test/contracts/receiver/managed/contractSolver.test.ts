import { expect } from "chai";
import { concat, dataSlice } from "ethers";
import { network } from "hardhat";
import { deployManagedStage, reasonNames } from "../../../helpers/contracts/managedStage.ts";
import { AMOUNT, deposit, signTerms, solver } from "../../../helpers/contracts/receiverStage.ts";

const { ethers, networkHelpers } = await network.create();

describe("ManagedReceiver with a contract for a solver", () => {
  async function walletStage() {
    const wallet = await ethers.deployContract("ContractSigner", [solver.address]);
    // A wallet that takes no calldata with its ether is paid through the service's receiver.
    const payee = await ethers.deployContract("RelayReceiver", [wallet]);
    const solvers = [{ solver: wallet, nativePayee: payee, usesErc1271: true }];
    const stage = await deployManagedStage(ethers, { solvers });
    const terms = await signTerms(stage);
    const signature = concat([await wallet.getAddress(), terms.signature]);
    return { stage, wallet, terms: { ...terms, signature } };
  }

  it("a contract solver: accepts a signature that the contract verifies, and pays the contract", async () => {
    const { stage, wallet, terms } = await networkHelpers.loadFixture(walletStage);
    expect(await reasonNames(stage, terms)).to.deep.equal([]);
    await expect(deposit(stage, terms)).to.changeEtherBalance(ethers, wallet, AMOUNT);
  });

  it("a contract solver that accepts any signature: consumes the request once", async () => {
    const { stage, wallet, terms } = await networkHelpers.loadFixture(walletStage);
    await wallet.setMode(1);
    await deposit(stage, terms);
    const coSignature = dataSlice(terms.signature, -96);
    for (const bytes of ["0x", "0x01", terms.signature]) {
      const signature = concat([await wallet.getAddress(), bytes, coSignature]);
      await expect(deposit(stage, { ...terms, signature }))
        .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
        .withArgs(terms.record.requestId);
    }
  });

  it("a contract solver that rejects or reverts: rejects the signature, with its return data", async () => {
    const { stage, wallet, terms } = await networkHelpers.loadFixture(walletStage);
    await expect(deposit(stage, terms, { value: AMOUNT + 1n }))
      .to.be.revertedWithCustomError(stage.receiver, "ContractSignatureRefused")
      .withArgs(await wallet.getAddress(), `0xffffffff${"00".repeat(28)}`);
    await wallet.setMode(2);
    await expect(deposit(stage, terms))
      .to.be.revertedWithCustomError(stage.receiver, "ContractSignatureRefused")
      .withArgs(await wallet.getAddress(), wallet.interface.encodeErrorResult("WalletReverts"));
  });

  it("a contract solver: rejects its owner's key as a solver of its own", async () => {
    const { stage, terms } = await networkHelpers.loadFixture(walletStage);
    const { signature } = await signTerms(stage);
    await expect(deposit(stage, { ...terms, signature }))
      .to.be.revertedWithCustomError(stage.receiver, "SignerNotSolver")
      .withArgs(solver.address);
  });
});
