import { expect } from "chai";
import { network } from "hardhat";
import { flattenCalls, traceCalls } from "../../helpers/contracts/callTrace.ts";
import {
  another,
  balancesOf,
  forged,
  pay,
  prepare,
  receiverKinds,
  type TokenDeposit,
} from "../../helpers/contracts/receiverKinds.ts";
import { AMOUNT, Binding, solver } from "../../helpers/contracts/receiverStage.ts";
import { byPermit, signedWays } from "../../helpers/contracts/signedWays.ts";

const { ethers, networkHelpers } = await network.create();

async function emptyChain() {}

for (const kind of receiverKinds) {
  for (const way of signedWays) {
    describe(`${kind.name}.${way.name}`, () => {
      // Permit2 stores the nonces that a test has used.
      beforeEach(async () => {
        await networkHelpers.loadFixture(emptyChain);
      });

      async function prepared(binding: number = Binding.Receiver): Promise<TokenDeposit> {
        const deposit = await prepare(kind, ethers, await way.deployToken(ethers), { binding });
        await way.approve(deposit);
        return deposit;
      }

      async function expectUntouched(deposit: TokenDeposit) {
        expect(await balancesOf(deposit)).to.deep.equal([2n * AMOUNT, 0n, 0n]);
        expect(await deposit.stage.receiver.depositorOf(deposit.terms.record.requestId)).to.equal(
          ethers.ZeroAddress,
        );
      }

      for (const [whom, binding] of [
        ["itself", Binding.Receiver],
        ["the caller", Binding.Caller],
      ] as const) {
        it(`pays the solver exactly, logs the depositor, and keeps nothing, when bound to ${whom}`, async () => {
          const deposit = await prepared(binding);
          const { stage, terms, token } = deposit;
          const { depositor, receiver } = stage;
          await expect(pay(deposit, way.name, await way.sign(deposit)))
            .to.emit(receiver, "Erc20Deposited")
            .withArgs(terms.record.requestId, depositor.address, await token.getAddress(), AMOUNT);
          expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
          expect(await receiver.depositorOf(terms.record.requestId)).to.equal(depositor.address);
          expect(await token.allowance(depositor.address, receiver)).to.equal(0n);
        });
      }

      it("appends the requestId to the arguments of the one transfer to the solver", async () => {
        const deposit = await prepared();
        const { stage, terms, token } = deposit;
        const { hash } = await pay(deposit, way.name, await way.sign(deposit));
        const calls = flattenCalls(await traceCalls(ethers, hash)).map(({ input }) => input);
        const from = way.movesBy === "transferFrom" ? [stage.depositor.address] : [];
        const standard = token.interface.encodeFunctionData(way.movesBy, [...from, solver.address, AMOUNT]);
        const selector = standard.slice(0, 10);
        expect(calls.filter((input) => input.startsWith(selector))).to.deep.equal([
          ethers.concat([standard, terms.record.requestId]),
        ]);
      });

      it("rejects a second payment of a request with a fresh signature", async () => {
        const deposit = await prepared();
        await pay(deposit, way.name, await way.sign(deposit));
        await expect(pay(deposit, way.name, await way.sign(deposit)))
          .to.be.revertedWithCustomError(deposit.stage.receiver, "RequestAlreadyConsumed")
          .withArgs(deposit.terms.record.requestId);
        expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      });

      it("rejects terms that the solver did not sign before it uses the depositor's signature", async () => {
        const deposit = await prepared();
        const signed = await way.sign(deposit);
        await expect(pay(forged(deposit), way.name, signed))
          .to.be.revertedWithCustomError(deposit.stage.receiver, kind.forged.error)
          .withArgs(...kind.forged.args);
        await expectUntouched(deposit);
        await pay(deposit, way.name, signed);
      });

      it("bound to the caller: rejects the depositor's signature from any other account", async () => {
        const deposit = await prepared(Binding.Caller);
        const { receiver, stranger } = deposit.stage;
        await deposit.token.mint(stranger.address, AMOUNT);
        await expect(
          pay(deposit, way.name, await way.sign(deposit), { caller: stranger }),
        ).to.be.revertedWithCustomError(receiver, kind.forged.error);
        await expectUntouched(deposit);
      });

      for (const { isReason, sign, what } of way.wrong) {
        it(`rejects a signature ${what}, with the inner reason`, async () => {
          const deposit = await prepared();
          await expect(pay(deposit, way.name, await sign(deposit)))
            .to.be.revertedWithCustomError(deposit.stage.receiver, way.refusal)
            .withArgs(...(await way.refusalOf(deposit, isReason)));
          await expectUntouched(deposit);
        });
      }

      // A permit does not name the request: see `permit.test.ts`.
      if (way === byPermit) return;

      it("pays from a relayer's call, and rejects the same call a second time", async () => {
        const deposit = await prepared();
        const { depositor, receiver, stranger } = deposit.stage;
        const { requestId } = deposit.terms.record;
        const signed = await way.sign(deposit);
        await expect(pay(deposit, way.name, signed, { caller: stranger }))
          .to.emit(receiver, "Erc20Deposited")
          .withArgs(requestId, depositor.address, await deposit.token.getAddress(), AMOUNT);
        expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
        expect(await receiver.depositorOf(requestId)).to.equal(depositor.address);
        await expect(pay(deposit, way.name, signed))
          .to.be.revertedWithCustomError(receiver, "RequestAlreadyConsumed")
          .withArgs(requestId);
      });

      it("rejects a signature that a relayer uses for another request", async () => {
        const deposit = await prepared();
        const { receiver, stranger } = deposit.stage;
        const signed = await way.sign(deposit);
        const own = await another(deposit);
        await expect(pay(own, way.name, signed, { caller: stranger })).to.be.revertedWithCustomError(
          receiver,
          way.refusal,
        );
        await expectUntouched(own);
        await pay(deposit, way.name, signed);
        expect(await balancesOf(deposit)).to.deep.equal([AMOUNT, AMOUNT, 0n]);
      });
    });
  }
}
