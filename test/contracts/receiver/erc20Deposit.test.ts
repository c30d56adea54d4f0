import { expect } from "chai";
import { type BaseContract, MaxUint256 } from "ethers";
import { network } from "hardhat";
import {
  flattenCalls,
  onlyCallTo,
  ownGas,
  traceCalls,
  traceLatest,
} from "../../helpers/contracts/callTrace.ts";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  DESTINATION_CHAIN_ID,
  deployReceiverStage,
  depositErc20,
  type ReceiverStage,
  type SignedTerms,
  signTerms,
  solver,
} from "../../helpers/contracts/receiverStage.ts";
import { deployToken, type TestToken, wellPayingTokens } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000_000n;
const MAX_REASON_BYTES = 1024;

async function stageOnly() {
  return deployReceiverStage(ethers);
}

/** Gives the depositor twice the amount and approves the receiver for ever. */
async function fund(stage: ReceiverStage, token: BaseContract): Promise<void> {
  const asToken = token as TestToken;
  await asToken.mint(stage.depositor.address, 2n * AMOUNT);
  await asToken.connect(stage.depositor).approve(stage.receiver, MaxUint256);
}

async function balances(stage: ReceiverStage, token: BaseContract): Promise<bigint[]> {
  const holders = [stage.depositor.address, solver.address, await stage.receiver.getAddress()];
  return Promise.all(holders.map((holder) => (token as TestToken).balanceOf(holder)));
}

describe("PinnedReceiver.depositErc20", () => {
  for (const name of wellPayingTokens) {
    it(`moves ${name} from the depositor to the solver exactly, and logs it`, async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const token = await deployToken(ethers, name);
      await fund(stage, token);
      const terms = await signTerms(stage, AMOUNT, token);

      await expect(depositErc20(stage, terms, token, AMOUNT))
        .to.emit(stage.receiver, "Erc20Deposited")
        .withArgs(terms.requestId, stage.depositor.address);

      expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(true);
    });
  }

  it("carries the requestId behind the arguments of transferFrom", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("NoReturnToken");
    await fund(stage, token);
    const terms = await signTerms(stage, AMOUNT, token);
    const { hash } = await depositErc20(stage, terms, token, AMOUNT);

    const call = onlyCallTo(await traceCalls(ethers, hash), "CALL", await token.getAddress());
    const standard = token.interface.encodeFunctionData("transferFrom", [
      stage.depositor.address,
      solver.address,
      AMOUNT,
    ]);
    expect(call.input).to.equal(ethers.concat([standard, terms.requestId]));
  });

  it("calls nobody but the token, and moves nothing through itself", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const token = await ethers.deployContract("NoReturnToken");
    await fund(stage, token);
    const { hash } = await depositErc20(stage, await signTerms(stage, AMOUNT, token), token, AMOUNT);
    const calls = flattenCalls(await traceCalls(ethers, hash)).slice(1);
    const recovery = "0x0000000000000000000000000000000000000001";
    const tokenAddress = (await token.getAddress()).toLowerCase();
    expect(calls.filter(({ to }) => to !== recovery && to.toLowerCase() !== tokenAddress)).to.be.empty;
    expect(calls.filter(({ type }) => type === "CALL")).to.have.lengthOf(1);
  });

  describe("with a token that does not pay", () => {
    async function expectRefusal(
      stage: ReceiverStage,
      terms: SignedTerms,
      token: BaseContract,
      error: string,
      ...args: unknown[]
    ) {
      const before = await balances(stage, token);
      const errors = await ethers.getContractAt("TaggedTransfer", stage.receiver);
      const declaredBy = stage.receiver.interface.getError(error) === null ? errors : stage.receiver;
      await expect(depositErc20(stage, terms, token, AMOUNT))
        .to.be.revertedWithCustomError(declaredBy, error)
        .withArgs(await token.getAddress(), ...args);
      expect(await balances(stage, token)).to.deep.equal(before);
      expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(false);
    }

    async function fundedStage<Token extends BaseContract>(token: Token) {
      const stage = await deployReceiverStage(ethers);
      await fund(stage, token);
      return { stage, token, terms: await signTerms(stage, AMOUNT, token) };
    }

    it("refuses a token that returns false, with what it returned", async () => {
      const falseToken = await ethers.deployContract("ReturnsFalseToken");
      await falseToken.setRefusals(true, true, false);
      const { stage, token, terms } = await fundedStage(falseToken);
      await expectRefusal(stage, terms, token, "TokenTransferFailed", ethers.ZeroHash);
    });

    it("refuses a token that takes a fee, and does not consume the id", async () => {
      const { stage, token, terms } = await fundedStage(
        await ethers.deployContract("FeeOnTransferToken", [100]),
      );
      await expectRefusal(stage, terms, token, "ArrivedAmountMismatch", AMOUNT, (AMOUNT * 99n) / 100n);
    });

    it("refuses a token that has blocked the solver, with the token's own reason", async () => {
      const { stage, token, terms } = await fundedStage(await ethers.deployContract("BlocklistToken"));
      await token.setBlocked(solver.address, true);
      const reason = token.interface.encodeErrorResult("AccountBlocked", [solver.address]);
      await expectRefusal(stage, terms, token, "TokenTransferFailed", reason);
    });

    it("accepts the same payment once the token has unblocked the solver", async () => {
      const { stage, token, terms } = await fundedStage(await ethers.deployContract("BlocklistToken"));
      await token.setBlocked(solver.address, true);
      await expect(depositErc20(stage, terms, token, AMOUNT)).to.revert(ethers);
      await token.setBlocked(solver.address, false);
      await depositErc20(stage, terms, token, AMOUNT);
      expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
    });

    it("refuses a payment by the solver itself, of which nothing arrives", async () => {
      const { stage, token, terms } = await fundedStage(await ethers.deployContract("NoReturnToken"));
      const asSolver = await ethers.getImpersonatedSigner(solver.address);
      await networkHelpers.setBalance(solver.address, 10n ** 18n);
      await token.mint(solver.address, AMOUNT);
      await token.connect(asSolver).approve(stage.receiver, AMOUNT);
      await expect(depositErc20({ ...stage, depositor: asSolver }, terms, token, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, 0n);
    });

    it("refuses an account without code as a token", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const account = stage.recipient;
      const terms = await signTerms(stage, AMOUNT, account);
      await expect(depositErc20(stage, terms, account, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "TokenHasNoCode")
        .withArgs(account);
      expect(await stage.receiver.isConsumed(terms.requestId)).to.equal(false);
    });

    it("refuses a contract that accepts every call but moves nothing", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const burner = await ethers.deployContract("GasBurningRecipient", [1_000n]);
      const terms = await signTerms(stage, AMOUNT, burner);
      await expect(depositErc20(stage, terms, burner, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "TokenReadFailed")
        .withArgs(await burner.getAddress());
    });

    for (const reverts of [true, false]) {
      it(`does not pay for the answer of a token that ${reverts ? "reverts" : "returns"} with a huge buffer`, async () => {
        const stage = await networkHelpers.loadFixture(stageOnly);
        const bomb = await ethers.deployContract("ReturndataBomb", [200_000n, reverts]);
        const terms = await signTerms(stage, AMOUNT, bomb);
        const refused = expect(depositErc20(stage, terms, bomb, AMOUNT));
        // A read that reverts is refused first; one that answers with zeros lets the transfer be tried, and that is cut.
        if (reverts) {
          await refused.to.be
            .revertedWithCustomError(stage.receiver, "TokenReadFailed")
            .withArgs(await bomb.getAddress());
        } else {
          await refused.to.be
            .revertedWithCustomError(stage.receiver, "TokenTransferFailed")
            .withArgs(await bomb.getAddress(), ethers.hexlify(new Uint8Array(MAX_REASON_BYTES)));
        }

        // With a gas limit of its own the transaction is mined although it fails.
        await depositErc20(stage, terms, bomb, AMOUNT, { gasLimit: 2_000_000n }).catch(() => undefined);
        const trace = await traceLatest(ethers, await stage.receiver.getAddress());
        // Copying the bomb would alone cost 113,000.
        expect(Number(ownGas(trace))).to.be.below(75_000);
      });
    }
  });

  describe("with a token that calls back", () => {
    async function reentrantStage() {
      const stage = await deployReceiverStage(ethers);
      const token = await ethers.deployContract("ReentrantToken");
      await fund(stage, token);
      return { stage, token };
    }

    async function nestedDeposit(stage: ReceiverStage, token: BaseContract, terms: SignedTerms) {
      return stage.receiver.interface.encodeFunctionData("depositErc20", [
        await token.getAddress(),
        AMOUNT,
        terms.requestId,
        DESTINATION_CHAIN_ID,
        terms.destinationUser,
        terms.signature,
      ]);
    }

    for (const [what, nestedNumber] of [
      ["the same request", 1],
      ["another request", 2],
    ] as const) {
      it(`refuses a deposit for ${what} from within a transfer, and counts the outer one once`, async () => {
        const { stage, token } = await networkHelpers.loadFixture(reentrantStage);
        const outer = await signTerms(stage, AMOUNT, token, 1);
        const nested = await signTerms(stage, AMOUNT, token, nestedNumber);
        // The token is the nested depositor: nothing but the guard stands in its way.
        await token.mint(await token.getAddress(), AMOUNT);
        await token.arm(stage.receiver, await nestedDeposit(stage, token, nested));

        await depositErc20(stage, outer, token, AMOUNT);

        expect(await token.fired()).to.equal(1n);
        expect(await token.lastSuccess()).to.equal(false);
        expect(await token.lastReturnData()).to.equal(reentrancyReason());
        expect(await balances(stage, token)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
        expect(await stage.receiver.isConsumed(outer.requestId)).to.equal(true);
        if (nestedNumber === 2) expect(await stage.receiver.isConsumed(nested.requestId)).to.equal(false);
      });
    }

    it("refuses a deposit during whose transfer the solver gets something else as well", async () => {
      const { stage, token } = await networkHelpers.loadFixture(reentrantStage);
      await token.mint(await token.getAddress(), 5n);
      const gift = token.interface.encodeFunctionData("transfer", [solver.address, 5n]);
      await token.arm(token, gift);
      await expect(depositErc20(stage, await signTerms(stage, AMOUNT, token), token, AMOUNT))
        .to.be.revertedWithCustomError(stage.receiver, "ArrivedAmountMismatch")
        .withArgs(await token.getAddress(), AMOUNT, AMOUNT + 5n);
    });

    it("pays each once when the next deposit comes after the first is done", async () => {
      const { stage, token } = await networkHelpers.loadFixture(reentrantStage);
      for (const number of [1, 2]) {
        await depositErc20(stage, await signTerms(stage, AMOUNT, token, number), token, AMOUNT);
      }
      expect(await balances(stage, token)).to.deep.equal([0n, 2n * AMOUNT, 0n]);
    });
  });
});
