import { expect } from "chai";
import { type Address, type Hex, parseUnits, toFunctionSelector, zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { endOf } from "../../helpers/quotes/intents.ts";
import { deployedCode } from "../../helpers/quotes/permits.ts";
import {
  brokenFill,
  deposit,
  ether,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  quoteRevokedAllowance,
  refunded,
  replay,
  revertFill,
  reverting,
} from "../../helpers/requests/failureStage.ts";
import { historyOf } from "../../helpers/requests/requestHistory.ts";

/** Code of a token of which every account has plenty, and that cannot be transferred. */
const blocking = "0x60003560e01c63a9059cbb14601c57600160801b60005260206000f35b60006000fd";
/** Code that writes five storage slots. */
const writing: Hex = "0x6001600155600160025560016003556001600455600160055500";

describe("fills that fail", () => {
  const fixture = useEmulator();

  // @spec error/allowance calls/revalidated
  it("names the user's call that reverts in a fill, and decodes its error", async () => {
    const { approve, quote } = await quoteRevokedAllowance(fixture);
    await deposit(fixture, orderIdOf(quote));
    const history = await refunded(fixture, quote);
    expect(history.failReason).to.equal("TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE");
    expect(history.details).to.match(/InsufficientAllowance/);
    // The replay runs on the state of the failed fill, whatever has changed since.
    await approve(5_000_000n);
    expect(await replay(fixture.beta, history)).to.equal(history.details);
    expect(history.events.map(({ status }) => status)).to.deep.equal([
      ...["waiting", "pending", "pending", "refund"],
    ]);
  });

  it("returns the data of a call that reverts with an unknown error", async () => {
    const to = fresh();
    const rejecting = await deployedCode(fixture.beta, "mocks/RejectingRecipient");
    const { details, failReason } = await brokenFill(
      fixture,
      { txs: [{ data: "0x", to, value: 1_000n }] },
      () => setCode(fixture.beta, to, rejecting),
    );
    expect(failReason).to.equal("EXECUTION_REVERTED");
    // Selector and argument of an error outside all ABIs of this repository.
    expect(details).to.equal(
      `0x${toFunctionSelector("Rejected(uint256)").slice(2)}${(1_000).toString(16).padStart(64, "0")}`,
    );
  });

  // @spec service/failed-fill quote-request/refund-to state/refund
  it("refunds the deposit, less gas, to refundTo when a call reverts without data", async () => {
    const [to, refundTo] = [fresh(), fresh()];
    const { failReason } = await brokenFill(
      fixture,
      { refundTo, txs: [{ data: "0x", to, value: 1_000n }] },
      () => setCode(fixture.beta, to, reverting),
    );
    expect(failReason).to.equal("MISSING_REVERT_DATA");
    const back = await fixture.alpha.balanceOf(zeroAddress, refundTo);
    expect(back > (ether * 99n) / 100n && back < ether).to.equal(true);
  });

  it("refunds a fill whose recipient rejects ether", async () => {
    const { failReason } = await brokenFill(fixture, {}, ({ details }) =>
      setCode(fixture.beta, details.recipient as Address, reverting),
    );
    expect(failReason).to.equal("DESTINATION_TOKEN_TRANSFER_REJECTED");
  });

  it("refunds a fill whose token rejects the transfer to the recipient", async () => {
    const token = fixture.beta.currency("USDC");
    const code = (await fixture.beta.reader.getCode({ address: token })) as Hex;
    const { failReason } = await brokenFill(fixture, { destinationCurrency: token }, () =>
      setCode(fixture.beta, token, blocking),
    ).finally(() => setCode(fixture.beta, token, code));
    expect(failReason).to.equal("DESTINATION_TOKEN_TRANSFER_REJECTED");
  });

  it("reports a fill that was mined and reverted, with its transaction and block", async () => {
    const quote = await quoteOf(fixture);
    await revertFill(fixture, quote);
    const history = await refunded(fixture, quote);
    const [fill, refund] = history.transactions;
    expect([history.failReason, fill?.state, refund?.state]).to.deep.equal([
      ...["TRANSACTION_REVERTED", "reverted", "mined"],
    ]);
    const receipt = await fixture.beta.reader.getTransactionReceipt({ hash: fill?.hash as Hex });
    expect([history.failedTxHash, history.failedTxBlockNumber]).to.deep.equal([
      fill?.hash,
      Number(receipt.blockNumber),
    ]);
    expect(BigInt(fill?.fee ?? 0)).to.equal(receipt.gasUsed * receipt.effectiveGasPrice);
    expect(await replay(fixture.beta, history)).to.equal(history.details);
  });

  it("swaps a refund back to the paid currency, or pays the deposit's currency where the swap costs more than the slippage", async () => {
    const { alpha, beta, emulator } = fixture;
    // The pool keeps 30 basis points of the swap back.
    for (const [slippageTolerance, paidIn] of [
      ["200", "USDT"],
      ["20", "USDC"],
    ] as const) {
      const [recipient, refundTo] = [fresh(), fresh()];
      const quote = await quoteOf(fixture, {
        amount: parseUnits("500", 6),
        originCurrency: alpha.currency("USDT"),
        recipient,
        refundTo,
        slippageTolerance,
      });
      await setCode(beta, recipient, reverting);
      const { failReason, status } = await endOf(fixture, quote);
      expect([status, failReason]).to.deep.equal(["refund", "DESTINATION_TOKEN_TRANSFER_REJECTED"]);
      for (const symbol of ["USDC", "USDT"] as const) {
        const back = await alpha.balanceOf(alpha.currency(symbol), refundTo);
        if (symbol === paidIn) expect(back > parseUnits("490", 6), slippageTolerance).to.equal(true);
        else expect(back, slippageTolerance).to.equal(0n);
      }
      const { details } = await historyOf(emulator, idOf(quote));
      expect(/^REVERSE_SWAP_FAILED/.test(details ?? "")).to.equal(paidIn === "USDC");
    }
  });

  it("refunds a fill above the solver's balance, and above the limit of one request", async () => {
    const { balances, config } = fixture.emulator.control;
    const account = fixture.emulator.info.solver;
    const of = { account, chainId: fixture.beta.info.id, currency: zeroAddress } as const;
    const held = await balances.get(of);
    const poor = await brokenFill(fixture, {}, () => balances.set({ ...of, amount: ether / 2n }));
    expect(poor.failReason).to.equal("SOLVER_BALANCE_TOO_LOW");
    await balances.set({ ...of, amount: held });
    const much = await brokenFill(fixture, {}, () => config.set({ capacityPerRequest: "1000" }));
    expect(much.failReason).to.equal("SOLVER_CAPACITY_EXCEEDED");
    await config.set({ capacityPerRequest: "10000000" });
  });

  it("refunds a fill whose calls use more gas than the quote allows", async () => {
    const to = fresh();
    const { failReason } = await brokenFill(
      fixture,
      { txs: [{ data: "0x", to, value: 1n }], txsGasLimit: 60_000 },
      () => setCode(fixture.beta, to, writing),
    );
    expect(failReason).to.equal("QUOTED_GAS_LIMIT_EXCEEDED");
  });
});
