import { expect } from "chai";
import { network } from "hardhat";
import type { Hex } from "viem";
import { hashDepositWitness, permit2TypedData } from "../../../src/records/depositWitness.ts";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { hashWitness, inAnHour } from "../../helpers/contracts/ownerSignatures.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../../helpers/contracts/permit2.ts";
import { AMOUNT, solver } from "../../helpers/contracts/receiverStage.ts";
import {
  another,
  balancesOf,
  byAuthorization,
  byPermit,
  byPermit2,
  pay,
  prepare,
  type SignedWay,
  signAuthorizationOf,
  signedWays,
  signPermitOf,
  signTransferOf,
  type TokenDeposit,
  witnessOf,
} from "../../helpers/contracts/signedWays.ts";

const { ethers, networkHelpers } = await network.create();

const WITNESS_TYPE =
  "DepositWitness witness)" +
  "DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)" +
  "TokenPermissions(address token,uint256 amount)";

async function emptyChain() {}

async function prepared(way: SignedWay): Promise<TokenDeposit> {
  // Permit2 stores the nonces that a test has used.
  await networkHelpers.loadFixture(emptyChain);
  const deposit = await prepare(ethers, await way.deployToken(ethers));
  await way.approve(deposit);
  return deposit;
}

async function expectUntouched(deposit: TokenDeposit) {
  expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
  expect(await deposit.stage.receiver.depositorOf(deposit.terms.record.requestId)).to.equal(
    ethers.ZeroAddress,
  );
}

async function expectPaid(deposit: TokenDeposit) {
  expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
}

// What the contracts alone decide, with any token and payee, is in `test/solidity/receiver`.
for (const way of signedWays) {
  describe(`PinnedReceiver.${way.name}, with signatures of wallets`, () => {
    it(`${way.name} pays the solver with the requestId behind one transfer, and refuses a replay`, async () => {
      const deposit = await prepared(way);
      const { stage, terms, token } = deposit;
      const { hash } = await pay(deposit, way.name, await way.sign(deposit));
      const calls = flattenCalls(await traceCalls(ethers, hash)).map(({ input }) => input);
      const from = way.movesBy === "transferFrom" ? [stage.depositor.address] : [];
      const standard = token.interface.encodeFunctionData(way.movesBy, [...from, solver.address, AMOUNT]);
      expect(calls.filter((input) => input.startsWith(standard.slice(0, 10)))).to.deep.equal([
        ethers.concat([standard, terms.record.requestId]),
      ]);
      await expectPaid(deposit);
      expect(await token.allowance(stage.depositor.address, stage.receiver)).to.equal(0n);
      await expect(pay(deposit, way.name, await way.sign(deposit)))
        .to.be.revertedWithCustomError(stage.receiver, "RequestAlreadyConsumed")
        .withArgs(terms.record.requestId);
    });

    for (const { isReason, sign, what } of way.wrong) {
      it(`${way.name} rejects a signature ${what}, with the inner reason`, async () => {
        const deposit = await prepared(way);
        await expect(pay(deposit, way.name, await sign(deposit)))
          .to.be.revertedWithCustomError(deposit.stage.receiver, way.refusal)
          .withArgs(...(await way.refusalOf(deposit, isReason)));
        await expectUntouched(deposit);
      });
    }

    it(`${way.name} rejects a signature that another account uses for another request`, async () => {
      const deposit = await prepared(way);
      const { receiver, stranger } = deposit.stage;
      const signed = await way.sign(deposit);
      const other = await another(deposit);
      await expect(pay(other, way.name, signed, { caller: stranger })).to.be.revertedWithCustomError(
        receiver,
        way.refusal,
      );
      await expectUntouched(other);
      // A permit names no request, so only its owner may use it.
      const sending = pay(deposit, way.name, signed, { caller: stranger });
      if (way === byPermit) {
        await expect(sending).to.be.revertedWithCustomError(receiver, way.refusal);
        return;
      }
      await sending;
      await expectPaid(deposit);
    });
  });
}

describe("PinnedReceiver.depositErc20WithPermit of a permit", () => {
  it("a permit that another account submitted to the token before still pays", async () => {
    const deposit = await prepared(byPermit);
    const { depositor, receiver, stranger } = deposit.stage;
    const permit = await signPermitOf(deposit);
    const token = await ethers.getContractAt("LocalToken", deposit.token);
    const { value, deadline, v, r, s } = permit;
    await token.connect(stranger).permit(depositor.address, receiver, value, deadline, v, r, s);
    await pay(deposit, byPermit.name, permit);
    await expectPaid(deposit);
  });

  it("an expired permit is rejected unless the allowance covers the payment, to the unit", async () => {
    const deposit = await prepared(byPermit);
    const { depositor, receiver } = deposit.stage;
    const expired = await signPermitOf(deposit, { deadline: 1n });
    await deposit.token.connect(depositor).approve(receiver, AMOUNT - 1n);
    await expect(pay(deposit, byPermit.name, expired))
      .to.be.revertedWithCustomError(receiver, "PermitRefused")
      .withArgs(await deposit.token.getAddress(), AMOUNT - 1n, AMOUNT, (reason: string) => reason.length > 2);
    await deposit.token.connect(depositor).approve(receiver, AMOUNT);
    await pay(deposit, byPermit.name, expired);
    await expectPaid(deposit);
  });
});

describe("PinnedReceiver.depositErc20WithPermit2 of a transfer by the real Permit2", () => {
  it("Permit2 computes its domain for the chain it is on", async () => {
    const permit2 = await placePermit2(ethers);
    const { chainId } = await ethers.provider.getNetwork();
    const domain = { name: "Permit2", chainId, verifyingContract: PERMIT2_ADDRESS };
    expect(await permit2.getFunction("DOMAIN_SEPARATOR")()).to.equal(
      ethers.TypedDataEncoder.hashDomain(domain),
    );
  });

  it("pays by a Permit2 transfer over the library's typed data, whose witness is the contract's", async () => {
    const deposit = await prepared(byPermit2);
    const { depositor } = deposit.stage;
    const witness = await witnessOf(deposit);
    const receiver = witness.receiver as Hex;
    const deadline = await inAnHour(ethers);
    const { record: signed } = deposit.terms;
    const record = {
      ...(signed as typeof signed & { [Name in "requestId" | "originUser" | "originCurrency"]: Hex }),
      originChainId: Number(signed.originChainId),
      destinationChainId: Number(signed.destinationChainId),
      destinationUser: signed.destinationUser as Hex,
    };
    const { domain, types, message } = permit2TypedData({ deadline, nonce: 3n, receiver, record });
    const mutable = Object.fromEntries(Object.entries(types).map(([name, each]) => [name, [...each]]));
    const signature = await depositor.signTypedData(domain, mutable, message);
    await pay(deposit, byPermit2.name, { owner: depositor.address, nonce: 3n, deadline, signature });
    await expectPaid(deposit);
    expect(hashDepositWitness({ receiver, record })).to.equal(hashWitness(witness));
  });

  it("a transfer signed in 64 bytes pays; its nonce pays no other request", async () => {
    const deposit = await prepared(byPermit2);
    const transfer = await signTransferOf(deposit);
    const signature = ethers.Signature.from(transfer.signature).compactSerialized;
    await pay(deposit, byPermit2.name, { ...transfer, signature });
    const next = await another(deposit);
    await expect(pay(next, byPermit2.name, await signTransferOf(next)))
      .to.be.revertedWithCustomError(next.stage.receiver, "Permit2TransferRefused")
      .withArgs(next.stage.depositor.address, ethers.id("InvalidNonce()").slice(0, 10));
    await pay(next, byPermit2.name, await signTransferOf(next, { nonce: 8n }));
    expect(await balancesOf(next)).to.deep.equal([0n, 2n * AMOUNT, 0n]);
  });

  it("an attacker cannot use the signature at Permit2 directly", async () => {
    const deposit = await prepared(byPermit2);
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
    const sending = stage.stranger.sendTransaction({ to: PERMIT2_ADDRESS, data });
    await expect(sending).to.be.revertedWithCustomError(permit2, "InvalidSigner");
    // The same call from the receiver succeeds, so the caller is its only fault.
    await pay(deposit, byPermit2.name, { owner, nonce, deadline, signature });
  });
});

describe("PinnedReceiver.depositErc20WithAuthorization of an authorization", () => {
  it("an attacker cannot submit the authorization to the token directly", async () => {
    const deposit = await prepared(byAuthorization);
    const token = await ethers.getContractAt("AuthorizationToken", deposit.token);
    const { owner, validAfter, validBefore, v, r, s } = await signAuthorizationOf(deposit);
    const { receiver, stranger } = deposit.stage;
    const nonce = hashWitness(await witnessOf(deposit));
    const signed = [owner, receiver, AMOUNT, validAfter, validBefore, nonce, v, r, s] as const;
    const asStranger = token.connect(stranger);
    await expect(asStranger.receiveWithAuthorization(...signed)).to.be.revertedWithCustomError(
      token,
      "ERC20InvalidReceiver",
    );
    await expect(asStranger.transferWithAuthorization(...signed)).to.be.revertedWithCustomError(
      token,
      "ERC3009InvalidSignature",
    );
  });
});
