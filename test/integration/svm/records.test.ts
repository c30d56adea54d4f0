import { expect } from "chai";
import { getQuote } from "../../../src/client/index.ts";
import { svmNativeToken } from "../../../src/svm/constants.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { recordReaders } from "../../helpers/requests/recordReaders.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { pay } from "../../helpers/requests/requestRun.ts";
import { freshSvm, svmAccounts, svmBalance, svmTokenOf, svmUsdc } from "../../helpers/svm.ts";

describe("records of payments on the SVM chain", () => {
  const fixture = useEmulator({ svm: true });

  const readers = recordReaders(fixture);
  const recordOf = readers.recordV2Of;
  const changesOf = (stateChanges: unknown) =>
    (
      stateChanges as { address: string; change: { balanceDiff: string; data: { tokenAddress: string } } }[]
    ).map(({ address, change }) => [address, change.data.tokenAddress, change.balanceDiff]);
  const filledOn = async (destinationCurrency: string, recipient: string) => {
    const quote = await getQuote(fixture.client, {
      amount: "50000000000000000",
      destinationChainId: 792703809,
      destinationCurrency,
      originChainId: fixture.alpha.info.id,
      originCurrency: "0x0000000000000000000000000000000000000000",
      recipient,
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
    });
    await pay(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
    return quote;
  };

  for (const [what, currency] of [
    ["lamports", svmNativeToken],
    ["tokens that the solver holds", svmUsdc.address],
  ] as const) {
    // @spec record-v2/out-txs record-v2/state-changes
    it(`a fill of ${what}: names solver, recipient and bytes, and what the solver lost is what the recipient got`, async () => {
      const recipient = await freshSvm();
      const { outTxs } = await recordOf(await filledOn(currency, recipient));
      const solver = (await svmAccounts()).solver.signer.address;
      const arrived = (await svmBalance(fixture, recipient, currency)).toString();
      expect(outTxs).to.have.length(1);
      expect(outTxs?.[0]?.data).to.include({ from: solver, to: recipient, value: "0" });
      expect(outTxs?.[0]?.data)
        .to.have.property("data")
        .that.matches(/^0x01[0-9a-f]{256,}$/);
      expect(changesOf(outTxs?.[0]?.stateChanges)).to.deep.equal([
        [solver, currency, `-${arrived}`],
        [recipient, currency, arrived],
      ]);
    });
  }

  it("a fill out of a swap: names the recipient and what the recipient got", async () => {
    const recipient = await freshSvm();
    const { address } = svmTokenOf("JUP");
    const { outTxs } = await recordOf(await filledOn(address, recipient));
    const arrived = (await svmBalance(fixture, recipient, address)).toString();
    expect(outTxs?.[0]?.data).to.include({ to: recipient });
    expect(changesOf(outTxs?.[0]?.stateChanges)).to.deep.equal([[recipient, address, arrived]]);
  });

  // @spec amount/usd-current
  it("amounts of the SVM chain: are worth their present price, too", async () => {
    const quote = await filledOn(svmNativeToken, await freshSvm());
    await fixture.emulator.control.prices.set({ SOL: "300" });
    const { metadata } = await recordOf(quote);
    const { amount, amountUsd, amountUsdCurrent } = metadata?.currencyOut ?? {};
    const worth = (BigInt(amount ?? 0) * 300_000_000n) / 1_000_000_000n;
    expect(amountUsdCurrent).to.equal(
      `${worth / 1_000_000n}.${(worth % 1_000_000n).toString().padStart(6, "0")}`,
    );
    expect(amountUsd).to.not.equal(amountUsdCurrent);
    await fixture.emulator.control.prices.set({ SOL: "150" });
  });
});
