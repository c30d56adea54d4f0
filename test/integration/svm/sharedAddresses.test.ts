import { address } from "@solana/kit";
import { expect } from "chai";
import { zeroAddress } from "viem";
import { getQuote, getStatus, type Quote } from "../../../src/client/index.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { until } from "../../helpers/requests/requestHistory.ts";
import { payAddress, sol, svmAccounts, svmRpc, svmUser } from "../../helpers/svm.ts";
import { startMs, useSharedEmulators } from "../database/sharedEmulators.ts";

const count = 8;
/** A lease, and the work after its expiry, in milliseconds. */
const takeoverMs = 40_000;
/** Lamports of a sweep's two signatures. */
const sweepFee = 10_000n;

forEachStore("two emulators that share deposit addresses of an SVM chain", (kind) => {
  if (!kind.isShared) return;
  const { chains, clientOf, infos, spawned } = useSharedEmulators(kind, "--svm");
  const balance = async (wallet: string) => {
    const rpc = svmRpc(infos[1]?.apiUrl ?? "");
    return (await rpc.getBalance(address(wallet)).send()).value;
  };

  it("a process killed while both sweep: each payment is swept and filled once, to the lamport", async function () {
    this.timeout(2 * startMs);
    const [alpha] = chains();
    const { solver } = await svmAccounts();
    const user = await svmUser();
    const before = await balance(solver.signer.address);
    const paid: { quote: Quote; recipient: `0x${string}` }[] = [];
    for (let index = 0; index < count; index++) {
      const recipient = fresh();
      const quote = await getQuote(clientOf(index % 2), {
        amount: String(2_000_000_000 + index),
        destinationChainId: alpha.info.id,
        destinationCurrency: zeroAddress,
        originChainId: 792703809,
        originCurrency: sol.address,
        recipient,
        tradeType: "EXACT_INPUT",
        useDepositAddress: true,
        user: user.address,
      });
      paid.push({ quote, recipient });
    }
    for (const [index, { quote }] of paid.entries()) {
      const payment = { amount: BigInt(2_000_000_000 + index), from: user };
      await payAddress(
        { emulator: { info: infos[1] } } as never,
        quote.steps[0]?.depositAddress ?? "",
        payment,
      );
      if (index === count / 2) spawned[0]?.child.kill("SIGKILL");
    }
    let deposited = 0n;
    for (const [index, { quote, recipient }] of paid.entries()) {
      const isFilled = async () => {
        const { status } = await getStatus(clientOf(1), { requestId: idOf(quote) });
        return status === "success" ? true : undefined;
      };
      await until(isFilled, `the fill of ${idOf(quote)}`, takeoverMs);
      expect(await alpha.balanceOf(zeroAddress, recipient)).to.equal(
        BigInt(quote.details.currencyOut.amount),
      );
      expect(await balance(quote.steps[0]?.depositAddress ?? "")).to.equal(0n);
      deposited += BigInt(2_000_000_000 + index);
    }
    const fees = sweepFee * BigInt(count);
    expect(await balance(solver.signer.address)).to.equal(before + deposited - fees);
  });
});
