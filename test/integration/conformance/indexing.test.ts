import { expect } from "chai";
import { type Hex, parseEther } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine, withoutAutomine } from "../../helpers/localChain.ts";
import { postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { callsOf } from "../../helpers/quotes/gasless.ts";
import {
  carryOut,
  lastTransaction,
  quoteFor,
  sendAs,
  type TestSymbol,
} from "../../helpers/quotes/intents.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { nameTransaction } from "../../helpers/requests/nameTransaction.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";

describe("the transaction of a same-chain request", () => {
  const fixture = useEmulator();
  const quoteOf = (from: TestSymbol, to: TestSymbol) =>
    quoteFor(fixture, { amount: parseEther("0.01"), from, sameChain: true, to });
  const send = async (quote: Quote) => {
    for (const call of callsOf(quote).slice(0, -1)) await sendAs(fixture.alpha, 0, call);
    return sendAs(fixture.alpha, 0, { ...lastTransaction(quote), gas: 500_000n });
  };
  const statusOf = async (quote: Quote) => (await historyOf(fixture.emulator, idOf(quote))).status;
  /** A swap is found without a hint: then the blocks before it have been searched. */
  const searched = async () => {
    const swap = await quoteOf("ETH", "USDC");
    await send(swap);
    await reached(fixture.emulator, idOf(swap), "success");
  };

  before("wrap ether to unwrap", async () => {
    await carryOut(
      fixture,
      await quoteFor(fixture, {
        amount: parseEther("1"),
        from: "ETH",
        recipient: fixture.alpha.wallet(0).account.address,
        sameChain: true,
        to: "WETH",
      }),
    );
  });

  for (const [kind, from, to] of [
    ["a send", "ETH", "ETH"],
    ["a wrap", "ETH", "WETH"],
    ["an unwrap", "WETH", "ETH"],
  ] as const) {
    it(`of ${kind}: is found after POST /transactions/single only`, async () => {
      const quote = await quoteOf(from, to);
      const hash = await send(quote);
      await postJson(`${fixture.emulator.info.apiUrl}/transactions/index`, {
        chainId: fixture.alpha.info.id,
        requestId: idOf(quote),
        txHash: hash,
      });
      await searched();
      expect(await statusOf(quote)).to.equal("waiting");
      await nameTransaction(fixture, quote, hash);
      const { transactions } = await reached(fixture.emulator, idOf(quote), "success");
      expect(transactions).to.deep.equal([]);
    });
  }

  it("of a send, named before its block: is found in it", async () => {
    const quote = await quoteOf("ETH", "ETH");
    await withoutAutomine(fixture.alpha, async () => {
      const hash = await fixture.alpha
        .wallet(0)
        .sendTransaction({ ...lastTransaction(quote), gas: 500_000n });
      expect(await nameTransaction(fixture, quote, hash)).to.equal(200);
      await mine(fixture.alpha);
    });
    await reached(fixture.emulator, idOf(quote), "success");
  });

  it("of another send, and one that is unknown: end no request, named for it or not", async () => {
    const [quote, other] = [await quoteOf("ETH", "ETH"), await quoteOf("ETH", "ETH")];
    const hash = await send(other);
    expect(await nameTransaction(fixture, quote, hash)).to.equal(200);
    expect(await nameTransaction(fixture, quote, `0x${"ab".repeat(32)}` as Hex)).to.equal(404);
    await searched();
    expect([await statusOf(quote), await statusOf(other)]).to.deep.equal(["waiting", "waiting"]);
    await nameTransaction(fixture, other, hash);
    await nameTransaction(fixture, other, hash);
    await reached(fixture.emulator, idOf(other), "success");
    expect(await statusOf(quote)).to.equal("waiting");
  });

  it("of a send that reverted: fails its request once it is named", async () => {
    const quote = await quoteFor(fixture, { amount: 10n ** 6n, from: "USDC", sameChain: true, to: "USDC" });
    const { emulator, alpha } = fixture;
    const user = alpha.wallet(0).account.address;
    const of = { account: user, chainId: alpha.info.id, currency: alpha.currency("USDC") };
    const amount = await emulator.control.balances.get(of);
    await emulator.control.balances.set({ ...of, amount: 0n });
    const hash = await send(quote);
    await emulator.control.balances.set({ ...of, amount });
    await searched();
    expect(await statusOf(quote)).to.equal("waiting");
    await nameTransaction(fixture, quote, hash);
    expect(await reached(emulator, idOf(quote), "failure")).to.include({
      failReason: "TRANSACTION_REVERTED",
    });
  });

  it("with execute of the library: is named by it", async () => {
    const quote = await quoteOf("ETH", "ETH");
    expect((await carryOut(fixture, quote)).status).to.equal("success");
  });

  it("of a send, with lenient: is found without a hint", async () => {
    await fixture.emulator.control.config.set({ lenient: true });
    try {
      const quote = await quoteOf("ETH", "ETH");
      await send(quote);
      await reached(fixture.emulator, idOf(quote), "success");
    } finally {
      await fixture.emulator.control.config.set({ lenient: false });
    }
  });
});
