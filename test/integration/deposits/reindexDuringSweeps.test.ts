import { expect } from "chai";
import { zeroAddress } from "viem";
import { reindexDepositAddress } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { withoutAutomine } from "../../helpers/localChain.ts";
import { fiftyDollars, requestIdOf } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a reindex during a sweep", () => {
  const fixture = useEmulator({ reorgs: true });
  const { pay, quoteAt, requestsAt } = depositAddressStage(fixture);
  const amount = () => fiftyDollars("ETH");

  /** Quotes a strict address for a new recipient. */
  async function quoteFresh() {
    const recipient = fresh();
    const quote = await quoteAt({ from: "ETH", recipient, refundTo: fresh(), strict: true, to: "ETH" });
    return { address: addressOf(quote), quote, recipient };
  }
  type Quoted = Awaited<ReturnType<typeof quoteFresh>>;

  /** Reindexes the address: no currency is triggered. */
  async function expectNothingFound({ address }: Quoted): Promise<void> {
    const { alpha, client } = fixture;
    const asked = { chainId: alpha.info.id, depositAddress: address };
    const { failedCurrencies, triggeredCurrencies } = await reindexDepositAddress(client, asked);
    expect([failedCurrencies, triggeredCurrencies]).to.deep.equal([0, []]);
  }

  /** Expects one request, filled once, and an empty address. */
  async function expectFilledOnce({ address, quote, recipient }: Quoted): Promise<void> {
    const { alpha, beta, emulator } = fixture;
    await reached(emulator, requestIdOf(quote), "success");
    const empty = async () => ((await alpha.balanceOf(zeroAddress, address)) === 0n ? true : undefined);
    await until(empty, "the address to be swept");
    expect(await requestsAt(address)).to.have.length(1);
    expect(await beta.balanceOf(zeroAddress, recipient)).to.equal(BigInt(quote.details.currencyOut.amount));
  }

  /** Whether a transaction of the solver waits for a block. */
  async function isSent(): Promise<true | undefined> {
    const { alpha, emulator } = fixture;
    const count = (blockTag: "latest" | "pending") =>
      alpha.reader.getTransactionCount({ address: emulator.info.solver, blockTag });
    return (await count("pending")) > (await count("latest")) ? true : undefined;
  }

  it("a reindex before the sweep is signed: finds nothing, and the request is filled once", async () => {
    const quoted = await quoteFresh();
    const { faults } = fixture.emulator.control;
    await faults.add({ delayMs: 15_000, kind: "signed-deposit-slow", requestId: requestIdOf(quoted.quote) });
    await pay(quoted.address, "ETH", amount());
    await reached(fixture.emulator, requestIdOf(quoted.quote), "depositing");
    await expectNothingFound(quoted);
    await fixture.emulator.control.clock.advance(16_000);
    await expectFilledOnce(quoted);
  });

  it("a reindex while the sweep is sent and not mined: finds nothing, and the request is filled once", async () => {
    const quoted = await quoteFresh();
    const { faults } = fixture.emulator.control;
    await faults.add({ delayMs: 12_000, kind: "signed-deposit-slow", requestId: requestIdOf(quoted.quote) });
    await pay(quoted.address, "ETH", amount());
    await reached(fixture.emulator, requestIdOf(quoted.quote), "depositing");
    await withoutAutomine(fixture.alpha, async () => {
      await fixture.emulator.control.clock.advance(13_000);
      await until(isSent, "the sweep to be sent");
      await expectNothingFound(quoted);
      expect(await fixture.alpha.balanceOf(zeroAddress, quoted.address)).to.equal(amount());
    });
    await pay(fresh(), "ETH", 1n);
    await expectFilledOnce(quoted);
  });

  it("a reindex after the sweep: finds nothing", async () => {
    const quoted = await quoteFresh();
    await pay(quoted.address, "ETH", amount());
    await expectFilledOnce(quoted);
    await expectNothingFound(quoted);
    await expectFilledOnce(quoted);
  });

  for (const returns of [true, false]) {
    const what = returns ? "moves payment and sweep" : "removes payment and sweep";
    it(`a reindex after a reorg that ${what}: finds nothing that is not there`, async () => {
      const quoted = await quoteFresh();
      const { alpha, beta, emulator } = fixture;
      await pay(quoted.address, "ETH", amount());
      await expectFilledOnce(quoted);
      await emulator.control.chains.reorg({ blocks: 2, chainId: alpha.info.id, returns });
      await expectNothingFound(quoted);
      if (returns) return expectFilledOnce(quoted);
      await reached(emulator, requestIdOf(quoted.quote), "failure");
      expect(await requestsAt(quoted.address)).to.have.length(1);
      expect(await beta.balanceOf(zeroAddress, quoted.recipient)).to.equal(
        BigInt(quoted.quote.details.currencyOut.amount),
      );
    });
  }
});
