import { expect } from "chai";
import { zeroAddress } from "viem";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import type { TestChain } from "../../helpers/emulatorFixture.ts";
import type { RpcFault } from "../../helpers/network/mortalRpc.ts";
import { deposit, ether, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";
import { type BrokenNodesFixture, startBrokenNodes } from "./brokenNodes.ts";

/** Longer than the tests' wait for a fill: a round that waits for the node would be too late. */
const timeoutMs = 6_000;
const fillMs = 4_000;
const orderLifetimeMs = 7 * 24 * 3_600_000;

describe("a solver of three chains with one unreachable chain", function () {
  this.timeout(90_000);
  let fixture: BrokenNodesFixture;
  let offset = 0;
  const lines: LogEntry[] = [];
  const part = <Part>(parts: readonly Part[], index: number): Part => {
    const found = parts[index];
    if (found === undefined) throw new Error(`there is no part ${index}`);
    return found;
  };
  const gamma = () => part(fixture.chains, 2);
  const breakGamma = (fault: RpcFault | undefined) => {
    part(fixture.nodes, 2).fault = fault && (() => fault);
  };
  beforeEach(async () => {
    offset = 0;
    lines.length = 0;
    fixture = await startBrokenNodes({
      chainCount: 3,
      log: (entry) => lines.push(entry),
      now: () => Date.now() + offset,
      timeoutMs,
    });
  });
  afterEach(() => fixture?.stop());

  const paidFrom = async (chain: TestChain, quote: Awaited<ReturnType<typeof quoteOf>>) => {
    await deposit(fixture, orderIdOf(quote), ether, { chain });
    return idOf(quote);
  };
  const bridge = (from: TestChain, to: TestChain, recipient = fresh()) =>
    quoteOf(fixture, {
      destinationChainId: to.info.id,
      originChainId: from.info.id,
      recipient,
      user: from.wallet(0).account.address,
    });
  const within = async (ms: number, work: Promise<unknown>) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms);
    });
    await Promise.race([work, late]).finally(() => clearTimeout(timer));
  };
  const aboutGamma = () =>
    lines.filter(({ message }) => message.includes("gamma") && !/repeated/.test(message));

  for (const fault of ["hang", "drop"] as const) {
    it(`fills between two chains while a third node answers with: ${fault}`, async () => {
      const { alpha, beta, emulator } = fixture;
      const quotes = [await bridge(alpha, beta), await bridge(beta, alpha)];
      breakGamma(fault);
      const ids = [await paidFrom(alpha, part(quotes, 0)), await paidFrom(beta, part(quotes, 1))];
      await within(fillMs, Promise.all(ids.map((id) => reached(emulator, id, "success"))));
      if (fault === "hang") return;
      expect(aboutGamma()).to.have.length(1);
      expect(lines.filter(({ level }) => level === "error")).to.deep.equal(aboutGamma());
    });

    it(`a destination that answers with ${fault}: records the deposit, and fills it once when the node is back`, async () => {
      const { alpha, emulator } = fixture;
      const recipients = Array.from({ length: 3 }, fresh);
      const quotes = await Promise.all(recipients.map((recipient) => bridge(alpha, gamma(), recipient)));
      breakGamma(fault);
      for (const quote of quotes) await paidFrom(alpha, quote);
      for (const quote of quotes) await within(fillMs, reached(emulator, idOf(quote), "pending"));
      breakGamma(undefined);
      for (const [index, quote] of quotes.entries()) {
        const { deposits, transactions } = await reached(emulator, idOf(quote), "success");
        expect([deposits.length, transactions.length]).to.deep.equal([1, 1]);
        const received = await gamma().balanceOf(zeroAddress, part(recipients, index));
        expect(received).to.equal(BigInt(quote.details.currencyOut?.amount ?? 0));
      }
    });

    it(`an origin that answers with ${fault}: finds its deposits in order when the node is back`, async () => {
      const { alpha, emulator } = fixture;
      const quotes = await Promise.all([1, 2, 3].map(() => bridge(gamma(), alpha)));
      breakGamma(fault);
      for (const quote of quotes) await paidFrom(gamma(), quote);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const during = await Promise.all(quotes.map((quote) => historyOf(emulator, idOf(quote))));
      expect(during.map(({ status }) => status)).to.deep.equal(["waiting", "waiting", "waiting"]);
      breakGamma(undefined);
      const after = [];
      for (const quote of quotes) after.push(await reached(emulator, idOf(quote), "success"));
      for (const { deposits, transactions } of after) {
        expect([deposits.length, transactions.length]).to.deep.equal([1, 1]);
      }
      const blocks = after.map(({ originBlock }) => originBlock ?? 0);
      expect(blocks).to.deep.equal([...blocks].sort((a, b) => a - b));
    });
  }

  it("an expired order whose destination hangs: refunds the deposit on its origin", async () => {
    const { alpha, emulator } = fixture;
    const quote = await bridge(alpha, gamma());
    breakGamma("hang");
    const id = await paidFrom(alpha, quote);
    await within(fillMs, reached(emulator, id, "pending"));
    offset = orderLifetimeMs + 1_000;
    await within(fillMs, reached(emulator, id, "refund"));
    const { failReason, transactions } = await historyOf(emulator, id);
    expect(failReason).to.equal("PROTOCOL_DEADLINE_EXPIRED");
    expect(transactions.map(({ kind, state }) => [kind, state])).to.deep.equal([["refund", "mined"]]);
  });

  it("a stop while a node hangs: ends within the time limit of one call and its repetition", async () => {
    const { alpha, beta, emulator } = fixture;
    const quote = await bridge(alpha, beta);
    breakGamma("hang");
    await within(fillMs, reached(emulator, await paidFrom(alpha, quote), "success"));
    await within(2 * timeoutMs + fillMs, emulator.stop());
  });
});
