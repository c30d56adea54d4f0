import { expect } from "chai";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import type { Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import {
  carryOut,
  endOf,
  fiftyDollars,
  quoteFor,
  sendAs,
  type Wanted,
} from "../../helpers/quotes/intents.ts";
import { newSponsor } from "../../helpers/quotes/sponsors.ts";
import { deposit, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { reorgStage } from "../../helpers/requests/reorgStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("sponsored fills", () => {
  const log: LogEntry[] = [];
  const fixture = useEmulator({ log: (entry) => log.push(entry), reorgs: true });
  const { followed, lose } = reorgStage(fixture);
  const start = 10n ** 9n;

  const balanceOf = (id: string) => fixture.emulator.control.sponsors.get(id);
  /** Changes of a sponsor's balance after it was set. */
  const changesOf = async (id: string) =>
    (await fixture.emulator.control.sponsors.entries(id)).slice(1).map(({ amount }) => amount);
  /** The sponsor's part of a quote in millionths of a dollar, for a deposit in USDC. */
  const partOf = ({ fees }: Quote) => BigInt(fees.subsidized?.amount ?? 0);
  const bridge: Wanted = { from: "USDC", subsidizeFees: true, to: "USDC" };

  /** Expects that the ledger of a sponsor adds up to the balance. */
  async function expectBalanced(id: string): Promise<void> {
    const entries = await fixture.emulator.control.sponsors.entries(id);
    expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).to.equal(await balanceOf(id));
  }

  it("a success: the recipient has the output, the solver the deposit, and the sponsor is charged once, to the unit", async () => {
    const { as, id } = await newSponsor(fixture, start);
    const recipient = fresh();
    const [usdc, { depository }] = [fixture.alpha.currency("USDC"), fixture.alpha.info.contracts];
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
      const before = await fixture.alpha.balanceOf(usdc, depository);
      const [paid, received] = [
        await balanceOf(id),
        await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient),
      ];
      const quote = await quoteFor(as, { ...bridge, recipient, tradeType });
      expect(await balanceOf(id), "a quote charges nothing").to.equal(paid);
      await carryOut(as, quote);
      const [input, output] = [quote.details.currencyIn, quote.details.currencyOut].map(({ amount }) =>
        BigInt(amount),
      ) as [bigint, bigint];
      expect(input, "the user pays no fee").to.equal(output);
      expect((await fixture.alpha.balanceOf(usdc, depository)) - before).to.equal(input);
      const after = await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);
      expect(after - received).to.equal(output);
      expect((paid ?? 0n) - ((await balanceOf(id)) ?? 0n)).to.equal(partOf(quote));
      expect(partOf(quote) > 0n).to.equal(true);
    }
    expect(await changesOf(id)).to.have.length(2);
    await expectBalanced(id);
  });

  it("a sponsor with one millionth too little: refunds the deposit, and charges nothing; with enough, fills", async () => {
    const { as, id } = await newSponsor(fixture, start);
    const quote = await quoteFor(as, bridge);
    const { sponsors } = fixture.emulator.control;
    await sponsors.set({ amount: partOf(quote) - 1n, apiKeyId: id });
    const status = await endOf(as, quote);
    expect(status).to.include({ failReason: "SPONSOR_BALANCE_TOO_LOW", status: "refund" });
    expect(await balanceOf(id)).to.equal(partOf(quote) - 1n);
    expect(await changesOf(id)).to.have.length(1);
    const second = await quoteFor(as, bridge);
    await sponsors.set({ amount: partOf(second), apiKeyId: id });
    await carryOut(as, second);
    expect(await balanceOf(id)).to.equal(0n);
    await expectBalanced(id);
  });

  it("requests at once for a balance of one: exactly one is filled", async () => {
    const { as, id } = await newSponsor(fixture, start);
    const quotes = await Promise.all(
      [1, 2, 3, 4].map(() => quoteOf(as, { recipient: fresh(), subsidizeFees: true })),
    );
    const most =
      quotes
        .map((quote) => (partOf(quote) * 2_500n) / 10n ** 12n + 1n)
        .toSorted((a, b) => Number(b - a))[0] ?? 0n;
    await fixture.emulator.control.sponsors.set({ amount: most, apiKeyId: id });
    const user = fixture.alpha.wallet(0).account.address;
    await Promise.all(
      quotes.map((quote, payer) => deposit(fixture, orderIdOf(quote), undefined, { depositor: user, payer })),
    );
    const ends = await Promise.all(
      quotes.map((quote) => reached(fixture.emulator, idOf(quote), "success", "refund", "failure")),
    );
    expect(ends.map(({ status }) => status).sort()).to.deep.equal(["refund", "refund", "refund", "success"]);
    const reasons = new Set(
      ends.filter(({ status }) => status === "refund").map(({ failReason }) => failReason),
    );
    expect([...reasons]).to.deep.equal(["SPONSOR_BALANCE_TOO_LOW"]);
    expect((await changesOf(id)).filter((amount) => amount < 0n && amount > -start / 2n)).to.have.length(1);
    expect(((await balanceOf(id)) ?? -1n) >= 0n).to.equal(true);
    await expectBalanced(id);
  });

  it("a deposit that a reorg removes after success: repays the sponsor", async () => {
    const { as, id } = await newSponsor(fixture, start);
    const quote = await quoteOf(as, { recipient: fresh(), subsidizeFees: true });
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "success");
    const [charge = 0n] = await changesOf(id);
    await lose(fixture.alpha);
    await followed(quote, "deposit-reorged", "failure");
    expect(await changesOf(id)).to.deep.equal([charge, -charge]);
    expect(await balanceOf(id)).to.equal(start);
    await expectBalanced(id);
  });

  it("a deposit above the quote: the sponsor pays what was quoted, and the surplus its own fees", async () => {
    const { as, id } = await newSponsor(fixture, start);
    const appFees = [{ fee: "100", recipient: fresh() }];
    const usdt = { ...bridge, appFees, recipient: fresh(), to: "USDT" } as const;
    const quote = await quoteFor(as, usdt);
    const { depository } = fixture.alpha.info.contracts;
    const paid = fiftyDollars("USDC");
    const data = `${erc20Data("transfer", depository, paid * 20n)}${orderIdOf(quote).slice(2)}` as const;
    await sendAs(fixture.alpha, 0, { data, to: fixture.alpha.currency("USDC") });
    await reached(fixture.emulator, idOf(quote), "success");
    expect(await balanceOf(id)).to.equal(start - partOf(quote));
    const received = await fixture.beta.balanceOf(fixture.beta.currency("USDT"), usdt.recipient);
    const shares = (paid * 19n * 101n) / 10_000n;
    // The service earns: what arrived costs it less than the deposit and the sponsor's part, after the apps' shares.
    expect(received < paid * 20n + partOf(quote) - shares).to.equal(true);
    expect(received > paid * 19n).to.equal(true);
  });
});
