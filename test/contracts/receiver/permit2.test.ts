import { expect } from "chai";
import { network } from "hardhat";
import type { Hex } from "viem";
import { hashDepositWitness, permit2TypedData } from "../../../src/records/depositWitness.ts";
import { hashWitness, inAnHour } from "../../helpers/contracts/ownerSignatures.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../../helpers/contracts/permit2.ts";
import {
  another,
  balancesOf,
  pay,
  prepare,
  prepareManaged,
  receiverKinds,
  type TokenDeposit,
  witnessOf,
} from "../../helpers/contracts/receiverKinds.ts";
import { AMOUNT, type SignedTerms } from "../../helpers/contracts/receiverStage.ts";
import { byPermit2, signTransferOf } from "../../helpers/contracts/signedWays.ts";
import { deployToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const WITNESS_TYPE =
  "DepositWitness witness)" +
  "DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)" +
  "TokenPermissions(address token,uint256 amount)";
const NO_ALLOWANCE = ethers.Interface.from(["error Error(string)"]).encodeErrorResult("Error", [
  "TRANSFER_FROM_FAILED",
]);

type Transfer = Awaited<ReturnType<typeof signTransferOf>>;

const payByPermit2 = (deposit: TokenDeposit, transfer: Transfer) => pay(deposit, byPermit2.name, transfer);

/** The record in the library's form. */
function libraryRecord({ record }: SignedTerms) {
  return {
    requestId: record.requestId as Hex,
    originChainId: Number(record.originChainId),
    originUser: record.originUser as Hex,
    originCurrency: record.originCurrency as Hex,
    originAmount: record.originAmount,
    destinationChainId: Number(record.destinationChainId),
    destinationUser: record.destinationUser as Hex,
  };
}

for (const kind of receiverKinds) {
  // Rules for every signature are tested in `signedDeposits.test.ts`, awkward tokens in `adversaries.test.ts`.
  describe(`${kind.name}.${byPermit2.name} of a Permit2 transfer`, () => {
    async function prepared(): Promise<TokenDeposit> {
      const deposit = await prepare(kind, ethers, await deployToken(ethers, "LocalToken"));
      await byPermit2.approve(deposit);
      return deposit;
    }

    it("accepts the 64-byte form of the owner's signature", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const transfer = await signTransferOf(deposit);
      const signature = ethers.Signature.from(transfer.signature).compactSerialized;
      await payByPermit2(deposit, { ...transfer, signature });
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("an attacker cannot use the signature at Permit2 directly", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const { stage, token } = deposit;
      const permit2 = await placePermit2(ethers);
      const { owner, nonce, deadline, signature } = await signTransferOf(deposit);
      const data = permit2.interface.encodeFunctionData("permitWitnessTransferFrom", [
        { permitted: { token: await token.getAddress(), amount: AMOUNT }, nonce, deadline },
        { to: stage.stranger.address, requestedAmount: AMOUNT },
        owner,
        hashWitness(await witnessOf(deposit)),
        WITNESS_TYPE,
        signature,
      ]);
      await expect(
        stage.stranger.sendTransaction({ to: PERMIT2_ADDRESS, data }),
      ).to.be.revertedWithCustomError(permit2, "InvalidSigner");
      // The same call from the receiver succeeds, so the caller is its only fault.
      await payByPermit2(deposit, { owner, nonce, deadline, signature });
    });

    it("rejects a used nonce, and accepts the next", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      await payByPermit2(deposit, await signTransferOf(deposit));
      const next = await another(deposit);
      const reason = ethers.id("InvalidNonce()").slice(0, 10);
      await expect(payByPermit2(next, await signTransferOf(next)))
        .to.be.revertedWithCustomError(next.stage.receiver, "Permit2TransferRefused")
        .withArgs(next.stage.depositor.address, reason);
      await payByPermit2(next, await signTransferOf(next, { nonce: 8n }));
      expect(await balancesOf(next)).to.deep.equal([0n, 2n * AMOUNT, 0n]);
    });

    it("rejects a payment when Permit2's allowance is one unit short, with Permit2's reason", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const { stage, token } = deposit;
      const { depositor, receiver } = stage;
      await token.connect(depositor).approve(PERMIT2_ADDRESS, AMOUNT - 1n);
      await expect(payByPermit2(deposit, await signTransferOf(deposit)))
        .to.be.revertedWithCustomError(receiver, "Permit2TransferRefused")
        .withArgs(depositor.address, NO_ALLOWANCE);
    });

    it("rejects payments on a chain without Permit2, where nothing arrives", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const transfer = await signTransferOf(deposit);
      await networkHelpers.setCode(PERMIT2_ADDRESS, "0x");
      await expect(payByPermit2(deposit, transfer))
        .to.be.revertedWithCustomError(deposit.stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await deposit.token.getAddress(), AMOUNT, 0n);
    });
  });
}

describe("the real Permit2", () => {
  it("Permit2 computes its domain for the chain it is on", async () => {
    const permit2 = await placePermit2(ethers);
    const { chainId } = await ethers.provider.getNetwork();
    const domain = { name: "Permit2", chainId, verifyingContract: PERMIT2_ADDRESS };
    expect(await permit2.getFunction("DOMAIN_SEPARATOR")()).to.equal(
      ethers.TypedDataEncoder.hashDomain(domain),
    );
  });

  it("pays by a Permit2 transfer over the library's typed data, whose witness is the contract's", async () => {
    const deposit = await prepareManaged(ethers, await deployToken(ethers, "LocalToken"));
    await byPermit2.approve(deposit);
    const { stage, terms } = deposit;
    const { depositor } = stage;
    const witness = await witnessOf(deposit);
    const receiver = witness.receiver as Hex;
    const deadline = await inAnHour(ethers);
    const record = libraryRecord(terms);
    const { domain, types, message } = permit2TypedData({ deadline, nonce: 3n, receiver, record });
    const mutable = Object.fromEntries(Object.entries(types).map(([name, each]) => [name, [...each]]));
    const signature = await depositor.signTypedData(domain, mutable, message);
    await payByPermit2(deposit, { owner: depositor.address, nonce: 3n, deadline, signature });
    expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    expect(hashDepositWitness({ receiver, record })).to.equal(hashWitness(witness));
  });
});
