import { expect } from "chai";
import { type Address, type Hex, parseAbi, parseEventLogs } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { movePool, quoteFor, sendAs } from "../../helpers/quotes/intents.ts";
import { fresh, idOf, senderOf } from "../../helpers/requests/failureStage.ts";
import { recordReaders } from "../../helpers/requests/recordReaders.ts";
import { reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";

const depositAbi = parseAbi([
  "event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)",
]);

describe("a reorg after which a deposit's swap returns less", () => {
  const fixture = useEmulator({ reorgs: true });
  const { lose } = reorgStage(fixture);
  const { recordOf } = recordReaders(fixture);

  /** A quote whose deposit swaps first, with its sender. The allowance is mined. */
  async function prepared(recipient: Address): Promise<{ pay: () => Promise<Hex>; quote: Quote }> {
    const quote = await quoteFor(fixture, { from: "USDT", recipient, slippageTolerance: "500", to: "USDC" });
    const [approval, ...others] = quote.steps.slice(0, -1);
    expect(others).to.have.length(0);
    const { data, to } = (approval?.items[0]?.data ?? {}) as { data: Hex; to: Address };
    await sendAs(fixture.alpha, 0, { data, to });
    return { pay: await senderOf(fixture, quote, 1_500_000n), quote };
  }

  /** What the depository received, in the smallest unit. */
  async function depositedBy(hash: Hex): Promise<bigint> {
    const { logs } = await fixture.alpha.reader.waitForTransactionReceipt({ hash });
    return parseEventLogs({ abi: depositAbi, logs })[0]?.args.amount ?? 0n;
  }

  const usdcOf = (recipient: Address) => fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);

  it("after the fill: pays nothing more, and the record shows the second amount with the paid output", async () => {
    const recipient = fresh();
    const { pay, quote } = await prepared(recipient);
    const first = await depositedBy(await pay());
    await reached(fixture.emulator, idOf(quote), "success");
    const received = await usdcOf(recipient);
    await lose(fixture.alpha);
    await reached(fixture.emulator, idOf(quote), "failure");
    await movePool(fixture.alpha, "USDT", "USDC", 2n);
    const second = await depositedBy(await pay());
    expect(second < first && second > 0n).to.equal(true);
    await reached(fixture.emulator, idOf(quote), "success");

    expect(await usdcOf(recipient)).to.equal(received);
    const { deposits, transactions } = await historyOf(fixture.emulator, idOf(quote));
    expect(transactions.map(({ kind, state }) => [kind, state])).to.deep.equal([["fill", "mined"]]);
    expect(deposits.map(({ amount, outcome }) => [amount, outcome])).to.deep.equal([
      [second.toString(), "accepted"],
    ]);
    const actual = (await recordOf(quote)).route?.actual;
    expect(actual?.origin?.outputCurrency).to.include({ amount: second.toString() });
    expect(actual?.destination?.outputCurrency).to.include({ amount: received.toString() });
  });
});
