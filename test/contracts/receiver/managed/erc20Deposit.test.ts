import { expect } from "chai";
import type { BaseContract } from "ethers";
import hre, { network } from "hardhat";
import {
  flattenCalls,
  onlyCallTo,
  ownGas,
  traceCalls,
  traceLatest,
} from "../../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../../helpers/contracts/libraryErrors.ts";
import {
  AMOUNT,
  accept,
  deployManagedStage,
  depositErc20,
  isCut,
  MAX_UINT128,
  type ManagedStage,
  type ManagedTerms,
  managedTerms,
  managedTermsV2,
  reasonNames,
} from "../../../helpers/contracts/managedStage.ts";
import { solver } from "../../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken, wellPayingTokens } from "../../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

async function stageOnly() {
  return deployManagedStage(ethers);
}

async function balances(stage: ManagedStage, token: BaseContract): Promise<bigint[]> {
  const holders = [stage.depositor.address, solver.address, await stage.receiver.getAddress()];
  return Promise.all(holders.map((holder) => (token as TestToken).balanceOf(holder)));
}

async function accepted<Token extends BaseContract>(token: Token) {
  const stage = await deployManagedStage(ethers);
  await accept(stage, token);
  return { stage, token, terms: await managedTerms(stage, { currency: token }) };
}

/** Refused by the token's ways, of which `validate` can know nothing; nothing moved and the id is not consumed. */
async function expectRefusal(
  stage: ManagedStage,
  terms: ManagedTerms,
  token: BaseContract,
  error: string,
  ...args: unknown[]
) {
  expect(await reasonNames(stage, terms, { currency: token })).to.deep.equal([]);
  const before = await balances(stage, token);
  await expect(depositErc20(stage, terms, token))
    .to.be.revertedWithCustomError(stage.receiver, error)
    .withArgs(await token.getAddress(), ...args);
  expect(await balances(stage, token)).to.deep.equal(before);
  expect(await stage.receiver.isConsumed(terms.record.requestId)).to.equal(false);
}

describe("ManagedReceiver.depositErc20", () => {
  for (const name of wellPayingTokens) {
    it(`moves ${name} from the depositor to the solver exactly, and logs it`, async () => {
      const { stage, token, terms } = await accepted(await deployToken(ethers, name));
      await expect(depositErc20(stage, terms, token))
        .to.emit(stage.receiver, "Erc20Deposited")
        .withArgs(terms.record.requestId, stage.depositor.address);
      expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });
  }

  it("carries the requestId behind the arguments of transferFrom, and calls nobody but the token", async () => {
    const { stage, token, terms } = await accepted(await ethers.deployContract("NoReturnToken"));
    const { hash } = await depositErc20(stage, terms, token);
    const trace = await traceCalls(ethers, hash);
    const address = await token.getAddress();
    const standard = token.interface.encodeFunctionData("transferFrom", [
      stage.depositor.address,
      solver.address,
      AMOUNT,
    ]);
    expect(onlyCallTo(trace, "CALL", address).input).to.equal(
      ethers.concat([standard, terms.record.requestId]),
    );
    const others = flattenCalls(trace)
      .slice(1)
      .filter(({ to, type }) => type !== "STATICCALL" && to.toLowerCase() !== address.toLowerCase());
    expect(others).to.be.empty;
  });

  it("takes a version 2 record for exactly the co-signed amount", async () => {
    const { stage, token } = await accepted(await ethers.deployContract("NoReturnToken"));
    const { record, signature, coSignature } = await managedTermsV2(stage, { currency: token });
    const deposit = (amount: bigint) =>
      stage.receiver.connect(stage.depositor).depositErc20V2(token, amount, record, signature, coSignature);
    await expect(deposit(AMOUNT - 1n)).to.be.revertedWithCustomError(stage.receiver, "NotCoSigned");
    await deposit(AMOUNT);
    expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
  });

  describe("with a token that does not pay", () => {
    it("refuses a token that returns false, with what it returned", async () => {
      const falseToken = await ethers.deployContract("ReturnsFalseToken");
      await falseToken.setRefusals(true, true, false);
      const { stage, token, terms } = await accepted(falseToken);
      await expectRefusal(stage, terms, token, "TokenTransferFailed", ethers.ZeroHash);
    });

    it("refuses a token that takes a fee, and does not consume the id", async () => {
      const { stage, token, terms } = await accepted(
        await ethers.deployContract("FeeOnTransferToken", [100]),
      );
      await expectRefusal(stage, terms, token, "ArrivedAmountMismatch", AMOUNT, (AMOUNT * 99n) / 100n);
    });

    it("refuses a token that has blocked the solver, with the token's own reason", async () => {
      const { stage, token, terms } = await accepted(await ethers.deployContract("BlocklistToken"));
      await token.setBlocked(solver.address, true);
      const reason = token.interface.encodeErrorResult("AccountBlocked", [solver.address]);
      await expectRefusal(stage, terms, token, "TokenTransferFailed", reason);
    });

    it("refuses a payment by the solver itself, of which nothing arrives", async () => {
      const { stage, token, terms } = await accepted(await ethers.deployContract("NoReturnToken"));
      const asSolver = await ethers.getImpersonatedSigner(solver.address);
      await token.mint(solver.address, AMOUNT);
      await token.connect(asSolver).approve(stage.receiver, AMOUNT);
      await expect(depositErc20({ ...stage, depositor: asSolver }, terms, token))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
    });

    it("refuses an account without code as a token, and native currency as one", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      for (const currency of [stage.recipient, ethers.ZeroAddress]) {
        await stage.receiver.setCurrencyLimits({ currency, minimum: 0n, maximum: MAX_UINT128 });
        const terms = await managedTerms(stage, { currency });
        await expect(depositErc20(stage, terms, currency))
          .to.be.revertedWithCustomError(stage.receiver, "TokenHasNoCode")
          .withArgs(currency);
      }
    });

    it("refuses a contract that accepts every call but is no token", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const burner = await ethers.deployContract("GasBurningRecipient", [1_000n]);
      await stage.receiver.setCurrencyLimits({ currency: burner, minimum: 0n, maximum: MAX_UINT128 });
      await expect(depositErc20(stage, await managedTerms(stage, { currency: burner }), burner))
        .to.be.revertedWithCustomError(stage.receiver, "TokenReadFailed")
        .withArgs(await burner.getAddress());
    });

    for (const reverts of [true, false]) {
      it(`does not pay for the answer of a token that ${reverts ? "reverts" : "returns"} with a huge buffer`, async () => {
        const stage = await networkHelpers.loadFixture(stageOnly);
        const bomb = await ethers.deployContract("ReturndataBomb", [200_000n, reverts]);
        await stage.receiver.setCurrencyLimits({ currency: bomb, minimum: 0n, maximum: MAX_UINT128 });
        const terms = await managedTerms(stage, { currency: bomb });
        const refused = expect(depositErc20(stage, terms, bomb)).to.be;
        // A read that reverts is refused first; one that answers with zeros lets the transfer be tried, and that is cut.
        const args = reverts ? [] : [isCut];
        await refused
          .revertedWithCustomError(stage.receiver, reverts ? "TokenReadFailed" : "TokenTransferFailed")
          .withArgs(await bomb.getAddress(), ...args);

        // With a gas limit of its own the transaction is mined although it fails.
        await depositErc20(stage, terms, bomb, AMOUNT, { gasLimit: 2_000_000n }).catch(() => undefined);
        const trace = await traceLatest(ethers, await stage.receiver.getAddress());
        // Copying the bomb would alone cost 113,000. Coverage has costs of its own.
        if (!hre.globalOptions.coverage) expect(Number(ownGas(trace))).to.be.below(75_000);
      });
    }
  });

  it("refuses a deposit from within the transfer of another, which is counted once", async () => {
    const { stage, token, terms } = await accepted(await ethers.deployContract("ReentrantToken"));
    const nested = await managedTerms(stage, { currency: token, requestNumber: 2 });
    // The token is the nested depositor: nothing but the guard stands in its way.
    await token.mint(token, AMOUNT);
    await token.arm(
      stage.receiver,
      stage.receiver.interface.encodeFunctionData("depositErc20", [
        await token.getAddress(),
        AMOUNT,
        nested.record,
        nested.signature,
        nested.coSignature,
      ]),
    );
    await depositErc20(stage, terms, token);
    expect(await token.fired()).to.equal(1n);
    expect(await token.lastReturnData()).to.equal(reentrancyReason());
    expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    expect(await stage.receiver.isConsumed(nested.record.requestId)).to.equal(false);
  });

  it("refuses a deposit during whose transfer the solver gets something else as well", async () => {
    const { stage, token, terms } = await accepted(await ethers.deployContract("ReentrantToken"));
    await token.mint(token, 5n);
    await token.arm(token, token.interface.encodeFunctionData("transfer", [solver.address, 5n]));
    await expect(depositErc20(stage, terms, token))
      .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
      .withArgs(await token.getAddress(), AMOUNT, AMOUNT + 5n);
  });
});
