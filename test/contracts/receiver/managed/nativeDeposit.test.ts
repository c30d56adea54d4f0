import { expect } from "chai";
import { concat, ZeroAddress } from "ethers";
import { network } from "hardhat";
import {
  AMOUNT,
  deployManagedStage,
  deposit,
  managedTerms,
  reasonNames,
  reasonsOf,
} from "../../../helpers/contracts/managedStage.ts";
import { solver } from "../../../helpers/contracts/receiverStage.ts";

const { ethers, networkHelpers } = await network.create();

async function toSolver() {
  return deployManagedStage(ethers);
}

describe("ManagedReceiverLens.validate", () => {
  it("validate names all faults of a payment at once, with values and limits", async () => {
    const stage = await networkHelpers.loadFixture(toSolver);
    const terms = await managedTerms(stage, { recipient: stage.stranger.address, lifetime: -1n });
    await stage.receiver.setPaused(true);
    await stage.receiver.setCurrencyLimits({
      currency: ZeroAddress,
      minimum: 10n ** 12n,
      maximum: 10n ** 15n,
    });
    const record = { ...terms.record, originChainId: 1n, originAmount: 5n };
    const reasons = await reasonsOf(stage, { ...terms, record });
    expect(reasons.map(({ name }) => name)).to.deep.equal([
      "DepositsPaused",
      "RecordForOtherChain",
      "AmountMismatch",
      "AmountBelowMinimum",
      "RecipientNotAllowed",
      "DepositExpired",
      "SignerNotSolver",
    ]);
    expect(reasons[1]?.args.toArray()).to.deep.equal([1n, 31_337n]);
    expect(reasons[2]?.args.toArray()).to.deep.equal([5n, AMOUNT]);
    expect(reasons[3]?.args.toArray()).to.deep.equal([ZeroAddress, AMOUNT, 10n ** 12n]);
  });
});

describe("ManagedReceiver with a contract for a solver", () => {
  async function walletStage() {
    const wallet = await ethers.deployContract("ContractSigner", [solver.address]);
    // A wallet that takes no calldata with its ether is paid through the service's receiver.
    const payee = await ethers.deployContract("RelayReceiver", [wallet]);
    const solvers = [{ solver: wallet, nativePayee: payee, usesErc1271: true }];
    const stage = await deployManagedStage(ethers, { solvers });
    const terms = await managedTerms(stage);
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
    for (const bytes of ["0x", "0x01", terms.signature]) {
      const again = { ...terms, signature: concat([await wallet.getAddress(), bytes]) };
      await expect(deposit(stage, again))
        .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
        .withArgs(terms.record.requestId);
    }
  });

  it("a contract solver that rejects or reverts: rejects the signature, with its return data", async () => {
    const { stage, wallet, terms } = await networkHelpers.loadFixture(walletStage);
    const changed = { ...terms, record: { ...terms.record, originAmount: AMOUNT + 1n } };
    await expect(deposit(stage, changed, AMOUNT + 1n))
      .to.be.revertedWithCustomError(stage.receiver, "ContractSignatureRefused")
      .withArgs(await wallet.getAddress(), `0xffffffff${"00".repeat(28)}`);
    await wallet.setMode(2);
    await expect(deposit(stage, terms))
      .to.be.revertedWithCustomError(stage.receiver, "ContractSignatureRefused")
      .withArgs(await wallet.getAddress(), wallet.interface.encodeErrorResult("WalletReverts"));
  });

  it("a contract solver: rejects its owner's key as a solver of its own", async () => {
    const { stage, terms } = await networkHelpers.loadFixture(walletStage);
    const { signature } = await managedTerms(stage);
    await expect(deposit(stage, { ...terms, signature }))
      .to.be.revertedWithCustomError(stage.receiver, "SignerNotSolver")
      .withArgs(solver.address);
  });
});
