import { expect } from "chai";
import type { Hex } from "viem";
import { startFixture, type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { quoteFor, refusalOf } from "../../helpers/quotes/intents.ts";
import {
  deposit,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  refunded,
  reverting,
} from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

/** Loops until less than a million gas is left, and stops. */
const leavesLittle: Hex = "0x5b5a620f4240105f5700";
/** Loops until no gas is left. */
const leavesNone: Hex = "0x5b5f56";
/** Loops 175,000 times: about 4.6 million gas, at any limit. */
const takesMuch: Hex = "0x6202ab985b6001900380600457600000";

/** Sufficient on an idle machine; a busy one is measured. */
const quickMs = 10_000;
/** The most that a fill may use, and a twelfth of a block. */
const gasOfFill = 5_000_000n;

/** Fails for work as long as a run of most of a block's gas. A search for the least gas takes many such runs. */
async function assertQuick(begun: number, chain: TestChain): Promise<void> {
  const took = Date.now() - begun;
  if (took < quickMs) return;
  const to = fresh();
  await setCode(chain, to, leavesNone);
  const measured = Date.now();
  await chain.reader.call({ gas: gasOfFill, to }).catch(() => undefined);
  expect(took).to.be.below(10 * (Date.now() - measured));
}

describe("contracts that burn gas", () => {
  const fixture = useEmulator();

  /** Pays for a fill to a contract whose code came after the quote, and for another fill in the same round. */
  const payBoth = async (code: Hex) => {
    const { beta, emulator } = fixture;
    const recipient = fresh();
    const burning = await quoteOf(fixture, { recipient });
    const plain = await quoteOf(fixture);
    await setCode(beta, recipient, code);
    const begun = Date.now();
    await deposit(fixture, orderIdOf(burning));
    await deposit(fixture, orderIdOf(plain));
    await reached(emulator, idOf(plain), "success");
    await assertQuick(begun, beta);
    return burning;
  };

  it("a recipient that uses all but a million of its gas: is paid, and delays no other fill", async () => {
    const quote = await payBoth(leavesLittle);
    await reached(fixture.emulator, idOf(quote), "success");
    expect(await fixture.beta.reader.getBalance({ address: quote.details.recipient as Hex })).to.equal(
      BigInt(quote.details.currencyOut.amount),
    );
  });

  it("a fill whose recipient runs out of gas: is refunded, and delays no other fill", async () => {
    const { failReason } = await refunded(fixture, await payBoth(leavesNone));
    expect(failReason).to.equal("DESTINATION_TOKEN_TRANSFER_REJECTED");
  });

  it("a fill that uses more gas than the solver pays for: is refunded with the figures", async () => {
    const { details, failReason } = await refunded(fixture, await payBoth(takesMuch));
    expect(failReason).to.equal("QUOTED_GAS_LIMIT_EXCEEDED");
    expect(details).to.match(/^It takes \d{7} gas, and the solver pays for at most 5000000$/);
  });

  it("a refund to a contract that runs out of gas: ends in failure", async () => {
    const { alpha, beta, emulator } = fixture;
    const [recipient, refundTo] = [fresh(), fresh()];
    const quote = await quoteOf(fixture, { recipient, refundTo });
    await setCode(beta, recipient, reverting);
    await setCode(alpha, refundTo, leavesNone);
    const begun = Date.now();
    await deposit(fixture, orderIdOf(quote));
    expect((await reached(emulator, idOf(quote), "failure")).details).to.match(/out of gas/);
    await assertQuick(begun, alpha);
  });

  for (const sameChain of [false, true]) {
    it(`a quote for a recipient that burns gas: is answered at once, ${sameChain ? "on one chain" : "across chains"}`, async () => {
      const chain = sameChain ? fixture.alpha : fixture.beta;
      const recipients = [fresh(), fresh(), fresh()] as const;
      const [little, none, much] = recipients;
      await setCode(chain, little, leavesLittle);
      await setCode(chain, none, leavesNone);
      await setCode(chain, much, takesMuch);
      const begun = Date.now();
      const wanted = { from: "USDC", sameChain, to: "ETH" } as const;
      await quoteFor(fixture, { ...wanted, recipient: little });
      expect(await refusalOf(fixture, { ...wanted, recipient: none })).to.equal("DESTINATION_TX_FAILED");
      if (!sameChain) {
        expect(await refusalOf(fixture, { ...wanted, recipient: much })).to.equal("DESTINATION_TX_FAILED");
      }
      await assertQuick(begun, chain);
    });
  }

  it("an emulator with a fill to a recipient that burns gas: stops at once", async () => {
    const own = await startFixture();
    const recipient = fresh();
    const quote = await quoteOf(own, { recipient });
    await setCode(own.beta, recipient, leavesLittle);
    await deposit(own, orderIdOf(quote));
    const begun = Date.now();
    await own.stop();
    expect(Date.now() - begun).to.be.below(quickMs);
  });
});
