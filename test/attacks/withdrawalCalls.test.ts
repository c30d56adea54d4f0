import { expect } from "chai";
import type { Hex } from "viem";
import { trustOfEmulator } from "../../emulator/index.ts";
import { encodeCall } from "../../src/calls/verify/routedCalls.ts";
import { getQuote } from "../../src/client/index.ts";
import { QuoteMismatchError } from "../../src/errors/QuoteMismatchError.ts";
import { createQuoteGuard } from "../../src/guard/index.ts";
import { exchangeWithdrawal } from "../../src/perps/quoteParameters.ts";
import { verifyWithdrawal } from "../../src/perps/verifyWithdrawal.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { erc20Data } from "../helpers/erc20Data.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { withdraw, withdrawn } from "../helpers/perps.ts";
import { attacker } from "../helpers/quotes/quoteChanges.ts";
import { fresh } from "../helpers/requests/failureStage.ts";

describe("attack: what verifyQuote demands, and verifyWithdrawal does not", () => {
  const fixture = useEmulator({ perps: true });
  const token = () => fixture.beta.currency("USDC");

  async function provable(more: object = {}) {
    const { alpha, beta, client, emulator } = fixture;
    const request = exchangeWithdrawal({
      amount: withdrawn,
      destinationChainId: beta.info.id,
      destinationCurrency: token(),
      includeProtocolData: true,
      recipient: fresh(),
      user: alpha.wallet(0).account.address,
      ...more,
    });
    const quote = structuredClone(await getQuote(client, request));
    const minimumOutput = BigInt(quote.details.currencyOut.minimumAmount ?? "0");
    const now = emulator.control.clock.read().now;
    return { minimumOutput, now, quote, request, trust: trustOfEmulator(emulator.info) };
  }

  it("calls that leave the output on the public router are refused, by verifyWithdrawal and by the guard", async () => {
    const { beta } = fixture;
    const data = erc20Data("transfer", fixture.alpha.wallet(0).account.address, 7n) as Hex;
    const parameters = await provable({ txs: [{ data, to: token(), value: 0n }] });
    const { minimumOutput, now, quote, request, trust } = parameters;
    const error = await failureOf(verifyWithdrawal(parameters as never));
    const guard = createQuoteGuard({ now: () => now, policy: { minimumOutput, trust } });
    const verdict = await guard.add({ quote, request } as never);
    // What it costs: a stranger takes the whole output from the router.
    await withdraw(fixture, quote);
    const { erc20Router: to } = beta.info.contracts.v3;
    const sweep = encodeCall("cleanupErc20s", [[token()], [attacker], [0n], "0x"]);
    const hash = await beta.wallet(5).sendTransaction({ data: sweep, to });
    await beta.reader.waitForTransactionReceipt({ hash });
    const [taken, arrived] = await Promise.all(
      [attacker, request.recipient as Hex].map((account) => beta.balanceOf(token(), account)),
    );
    const told = `bound ${minimumOutput}, arrived ${arrived}, taken by a stranger ${taken}`;
    expect([verdict.isProven, error instanceof QuoteMismatchError], told).to.deep.equal([false, true]);
  }).timeout(60_000);

  it("decimals that the destination's token does not have are refused where a reader is named", async () => {
    const { minimumOutput, now, quote, request, trust } = await provable();
    const { currencyOut } = quote.details;
    // 24 dollars, shown as 2,400.
    Object.assign(currencyOut.currency, { decimals: 4 });
    Object.assign(currencyOut, { amountFormatted: (Number(currencyOut.amount) / 1e4).toString() });
    const { reader: destinationReader } = fixture.beta;
    const guard = createQuoteGuard({ now: () => now, policy: { destinationReader, minimumOutput, trust } });
    const verdict = await guard.add({ quote, request } as never);
    expect(verdict.isProven, `shown: ${currencyOut.amountFormatted}`).to.equal(false);
  }).timeout(60_000);

  it("a minimum further below the shown output than the policy's slippage is refused", async () => {
    const { now, quote, request, trust } = await provable();
    const { currencyOut } = quote.details;
    Object.assign(currencyOut, { minimumAmount: ((BigInt(currencyOut.amount) * 92n) / 100n).toString() });
    const policy = { maximumSlippage: 50, minimumOutput: 1n, trust };
    const verdict = await createQuoteGuard({ now: () => now, policy }).add({ quote, request } as never);
    expect(verdict.isProven).to.equal(false);
  }).timeout(60_000);
});
