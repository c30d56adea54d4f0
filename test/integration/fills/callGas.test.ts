import { expect } from "chai";
import { encodeFunctionData, type Hex } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import type { Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import { finalStatus, quoteFor, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";
import { fresh, orderIdOf } from "../../helpers/requests/failureStage.ts";

/** Loops 40,000 times: about a million gas. */
const costly: Hex = "0x61aaaa5b6001900380600357600000";

describe("gas of calls whose deposit is below the quote's", () => {
  const fixture = useEmulator({}, { each: true });

  /** A quote whose payment swaps first, with any slippage, and whose calls cost about a million gas. */
  async function quoteOfCalls() {
    const { beta } = fixture;
    const burner = fresh();
    await setCode(beta, burner, costly);
    const txs = [{ data: "0x", to: burner, value: "0" }] as const;
    const recipient = fresh();
    const wanted = {
      from: "USDT",
      recipient,
      slippageTolerance: "10000",
      to: "USDC",
      txs: [...txs],
    } as const;
    return { quote: await quoteFor(fixture, wanted), recipient };
  }

  /** Deposits USDC under the quote's orderId without the swap. */
  async function deposit(quote: Quote, amount: bigint) {
    const { alpha } = fixture;
    const { depository } = alpha.info.contracts;
    const token = alpha.currency("USDC");
    await sendAs(alpha, 0, { data: erc20Data("approve", depository, amount), to: token });
    const args = [alpha.wallet(0).account.address, token, amount, orderIdOf(quote) as Hex] as const;
    const data = encodeFunctionData({ abi: relayDepositoryAbi, args, functionName: "depositErc20" });
    await sendAs(alpha, 0, { data, to: depository });
    return finalStatus(fixture, requestIdOf(quote));
  }

  const amountsOf = ({ details, fees }: Quote) => ({
    deposit: BigInt(details.route?.origin?.outputCurrency?.amount ?? 0),
    gas: BigInt(fees.relayerGas?.amount ?? 0),
  });

  it("a deposit that covers no gas: is refunded or abandoned, and no call is made", async () => {
    for (const part of [0n, 1n, 2n]) {
      const { quote, recipient } = await quoteOfCalls();
      const { gas } = amountsOf(quote);
      expect(gas > 1_000_000n, `${gas}`).to.equal(true);
      const amount = part === 0n ? 1n : (gas * part) / 2n;
      const { failReason, status, txHashes } = await deposit(quote, amount);
      expect(["refund", "failure"], `${amount}`).to.include(status);
      expect(failReason, `${amount}`).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
      expect(await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient)).to.equal(0n);
      expect((txHashes ?? []).length <= 1).to.equal(true);
    }
  });

  it("half of the deposit: pays all of the gas, and less than half is spent on the output", async () => {
    const { quote } = await quoteOfCalls();
    const { deposit: expected, gas } = amountsOf(quote);
    const { beta, emulator } = fixture;
    const token = beta.currency("USDC");
    const before = await beta.balanceOf(token, emulator.info.solver);
    expect((await deposit(quote, expected / 2n)).status).to.equal("success");
    const spent = before - (await beta.balanceOf(token, emulator.info.solver));
    expect(spent <= expected / 2n - gas, `${spent} of ${expected / 2n} with ${gas} for gas`).to.equal(true);
  });
});

describe("gas of calls in the user's own transaction", () => {
  const fixture = useEmulator();

  it("calls that cost about a million gas: the gas of the step suffices, and is not much more than they need", async () => {
    const { alpha } = fixture;
    const burner = fresh();
    await setCode(alpha, burner, costly);
    const txs = [{ data: "0x", to: burner, value: "0" }] as const;
    const quote = await quoteFor(fixture, { from: "USDT", sameChain: true, to: "USDC", txs: [...txs] });
    for (const step of quote.steps) {
      for (const { data } of step.kind === "transaction" ? step.items : []) {
        const { gas, to, ...call } = data as { data: Hex; gas?: string; to: Hex; value: string };
        const limit = gas === undefined ? {} : { gas: BigInt(gas) };
        await sendAs(alpha, 0, { data: call.data, to, value: BigInt(call.value), ...limit });
      }
    }
    const { status, txHashes } = await finalStatus(fixture, requestIdOf(quote));
    expect(status).to.equal("success");
    const { gasUsed } = await alpha.reader.getTransactionReceipt({ hash: txHashes?.[0] as Hex });
    const last = quote.steps.at(-1)?.items[0]?.data as { gas: string };
    expect(gasUsed > 1_000_000n && BigInt(last.gas) < 2n * gasUsed, `${gasUsed} of ${last.gas}`).to.equal(
      true,
    );
  });
});
