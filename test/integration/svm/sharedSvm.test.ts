import { address } from "@solana/kit";
import { expect } from "chai";
import { getQuote, getStatus, type Quote } from "../../../src/client/index.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { deposit, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { until } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, sol, svmAccounts, svmRpc } from "../../helpers/svm.ts";
import { startMs, useSharedEmulators } from "../database/sharedEmulators.ts";

const count = 12;
/** A lease, and the work after its expiry, in milliseconds. */
const takeoverMs = 40_000;

forEachStore("two emulators that share an SVM chain", (kind) => {
  if (!kind.isShared) return;
  const { chains, clientOf, infos, spawned } = useSharedEmulators(kind, "--svm");
  const balance = async (index: number, wallet: string) =>
    (
      await svmRpc(infos[index]?.apiUrl ?? "")
        .getBalance(address(wallet))
        .send()
    ).value;

  it("a process killed while both pay: the other pays each recipient once, to the lamport", async function () {
    this.timeout(2 * startMs);
    const [alpha] = chains();
    const { solver } = await svmAccounts();
    const before = await balance(1, solver.signer.address);
    const paid: { quote: Quote; recipient: string }[] = [];
    for (let index = 0; index < count; index++) {
      const recipient = await freshSvm();
      const quote = await getQuote(clientOf(index % 2), {
        amount: String(2_000_000_000 + index),
        destinationChainId: 792703809,
        destinationCurrency: sol.address,
        originChainId: alpha.info.id,
        originCurrency: alpha.currency("ETH"),
        recipient,
        tradeType: "EXACT_OUTPUT",
        user: alpha.wallet(0).account.address,
      });
      paid.push({ quote, recipient });
    }
    for (const [index, { quote }] of paid.entries()) {
      await deposit({ alpha } as never, orderIdOf(quote), BigInt(quote.details.currencyIn.amount));
      if (index === count / 2) spawned[0]?.child.kill("SIGKILL");
    }
    let delivered = 0n;
    for (const [index, { quote, recipient }] of paid.entries()) {
      const isFilled = async () => {
        const { status } = await getStatus(clientOf(1), { requestId: idOf(quote) });
        return status === "success" ? true : undefined;
      };
      await until(isFilled, `the fill of ${idOf(quote)}`, takeoverMs);
      expect(await balance(1, recipient)).to.equal(BigInt(2_000_000_000 + index));
      delivered += BigInt(2_000_000_000 + index);
    }
    const fees = 5_000n * BigInt(count);
    expect(await balance(1, solver.signer.address)).to.equal(before - delivered - fees);
  });
});
