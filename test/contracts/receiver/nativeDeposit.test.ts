import { expect } from "chai";
import { network } from "hardhat";
import { flattenCalls, onlyCallTo, traceCalls } from "../../helpers/contracts/callTrace.ts";
import { receiverKinds } from "../../helpers/contracts/receiverKinds.ts";
import { AMOUNT, Binding, deposit, signTerms, solver } from "../../helpers/contracts/receiverStage.ts";

const { ethers, networkHelpers } = await network.create();

for (const kind of receiverKinds) {
  async function deployed() {
    const stage = await kind.deploy(ethers);
    return { stage, terms: await signTerms(stage) };
  }
  async function boundToCaller() {
    const stage = await kind.deploy(ethers, { binding: Binding.Caller });
    return { stage, terms: await signTerms(stage) };
  }

  // Payees that reject, burn gas, call back or return megabytes are tested in `adversaries.test.ts`.
  describe(`${kind.name}.deposit`, () => {
    for (const [what, fixture] of [
      ["itself", deployed],
      ["the caller", boundToCaller],
    ] as const) {
      it(`pays the solver exactly, logs the payment and stores the depositor, when bound to ${what}`, async () => {
        const { stage, terms } = await networkHelpers.loadFixture(fixture);
        const { receiver, depositor } = stage;
        const { requestId } = terms.record;
        const sending = deposit(stage, terms);
        await expect(sending)
          .to.emit(receiver, "NativeDeposited")
          .withArgs(requestId, depositor.address, AMOUNT);
        const holders = [depositor, receiver, solver];
        await expect(sending).to.changeEtherBalances(ethers, holders, [-AMOUNT, 0n, AMOUNT]);
        expect(await receiver.depositorOf(requestId)).to.equal(depositor.address);
      });
    }

    it("forwards the money with the requestId as the whole calldata, in its only call except the recovery", async () => {
      const { stage, terms } = await networkHelpers.loadFixture(deployed);
      const { hash } = await deposit(stage, terms);
      const trace = await traceCalls(ethers, hash);
      const forward = onlyCallTo(trace, "CALL", solver.address);
      expect(forward.input).to.equal(terms.record.requestId);
      expect(BigInt(forward.value ?? 0)).to.equal(AMOUNT);
      const others = flattenCalls(trace)
        .slice(1)
        .filter((call) => call !== forward);
      expect(others.filter(({ type }) => type !== "STATICCALL")).to.be.empty;
    });

    it("pays through the service's receiver, which logs the requestId", async () => {
      const relayReceiver = await ethers.deployContract("RelayReceiver", [solver.address]);
      const stage = await kind.deploy(ethers, { nativePayee: await relayReceiver.getAddress() });
      const terms = await signTerms(stage);
      const sending = deposit(stage, terms);
      await expect(sending).to.emit(relayReceiver, "FundsForwardedWithData").withArgs(terms.record.requestId);
      await expect(sending).to.changeEtherBalances(ethers, [relayReceiver, solver], [0n, AMOUNT]);
    });

    it("a deposit is unaffected by ether forced on the receiver, which stays apart", async () => {
      const { stage, terms } = await networkHelpers.loadFixture(deployed);
      await networkHelpers.setBalance(await stage.receiver.getAddress(), 5n);
      const holders = [stage.receiver, solver];
      await expect(deposit(stage, terms)).to.changeEtherBalances(ethers, holders, [0n, AMOUNT]);
    });
  });
}
