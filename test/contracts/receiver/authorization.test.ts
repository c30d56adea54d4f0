import { expect } from "chai";
import { network } from "hardhat";
import { hashWitness } from "../../helpers/contracts/ownerSignatures.ts";
import {
  balancesOf,
  pay,
  prepare,
  receiverKinds,
  type TokenDeposit,
  witnessOf,
} from "../../helpers/contracts/receiverKinds.ts";
import { type Account, AMOUNT, solver } from "../../helpers/contracts/receiverStage.ts";
import { byAuthorization, signAuthorizationOf } from "../../helpers/contracts/signedWays.ts";
import type { TestToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

type Authorization = Awaited<ReturnType<typeof signAuthorizationOf>>;

const payByAuthorization = (deposit: TokenDeposit, authorization: Authorization, caller?: Account) =>
  pay(deposit, byAuthorization.name, authorization, caller === undefined ? {} : { caller });

for (const kind of receiverKinds) {
  // Rules for every signature are tested in `signedDeposits.test.ts`, other awkward tokens in `adversaries.test.ts`.
  describe(`${kind.name}.${byAuthorization.name} of an authorization`, () => {
    async function prepared(): Promise<TokenDeposit> {
      return prepare(kind, ethers, await byAuthorization.deployToken(ethers));
    }

    async function awkward() {
      const token = await ethers.deployContract("AwkwardAuthorizationToken");
      const deposit = await prepare(kind, ethers, token as unknown as TestToken);
      return { deposit, token };
    }

    it("an attacker cannot submit the authorization to the token directly", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const token = await ethers.getContractAt("AuthorizationToken", deposit.token);
      const { owner, validAfter, validBefore, v, r, s } = await signAuthorizationOf(deposit);
      const { receiver, stranger } = deposit.stage;
      const nonce = hashWitness(await witnessOf(deposit));
      const asStranger = token.connect(stranger);
      const signed = [owner, receiver, AMOUNT, validAfter, validBefore, nonce, v, r, s] as const;
      await expect(asStranger.receiveWithAuthorization(...signed))
        .to.be.revertedWithCustomError(token, "ERC20InvalidReceiver")
        .withArgs(await receiver.getAddress());
      await expect(asStranger.transferWithAuthorization(...signed)).to.be.revertedWithCustomError(
        token,
        "ERC3009InvalidSignature",
      );
      await payByAuthorization(deposit, { owner, validAfter, validBefore, v, r, s });
    });

    it("pays after an expired authorization with the same nonce", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const expired = await signAuthorizationOf(deposit, { validBefore: 1n });
      await expect(payByAuthorization(deposit, expired)).to.be.revertedWithCustomError(
        deposit.stage.receiver,
        "AuthorizationRefused",
      );
      await payByAuthorization(deposit, await signAuthorizationOf(deposit));
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("rejects a fee-taking token, with the amount that reached the receiver", async () => {
      const { deposit, token } = await networkHelpers.loadFixture(awkward);
      await token.setFee(3n);
      await expect(payByAuthorization(deposit, await signAuthorizationOf(deposit)))
        .to.be.revertedWithCustomError(deposit.stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, AMOUNT - 3n);
    });

    it("rejects a token that accepts any authorization, and leaves earlier tokens of the receiver untouched", async () => {
      const { deposit, token } = await networkHelpers.loadFixture(awkward);
      await token.mint(deposit.stage.receiver, AMOUNT);
      await token.setIgnoresAuthorizations(true);
      await expect(payByAuthorization(deposit, await signAuthorizationOf(deposit)))
        .to.be.revertedWithCustomError(deposit.stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
      expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, AMOUNT]);
      await token.setIgnoresAuthorizations(false);
      await payByAuthorization(deposit, await signAuthorizationOf(deposit));
      expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, AMOUNT]);
    });

    it("rejects a token without authorizations, with an empty reason", async () => {
      const plain = await ethers.deployContract("PlainToken");
      const deposit = await prepare(kind, ethers, plain as unknown as TestToken);
      const token = (await ethers.getContractAt("AuthorizationToken", plain)) as unknown as TestToken;
      await expect(payByAuthorization(deposit, await signAuthorizationOf({ ...deposit, token })))
        .to.be.revertedWithCustomError(deposit.stage.receiver, "AuthorizationRefused")
        .withArgs(await plain.getAddress(), deposit.stage.depositor.address, "0x");
    });

    it("rejects an authorization of the solver itself, of which nothing arrives", async () => {
      const deposit = await networkHelpers.loadFixture(prepared);
      const { stage, token } = deposit;
      await token.mint(solver.address, AMOUNT);
      const signer = solver.connect(ethers.provider) as unknown as Account;
      const authorization = await signAuthorizationOf(deposit, { from: solver.address, signer });
      await expect(payByAuthorization(deposit, authorization, stage.stranger))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
    });
  });
}
