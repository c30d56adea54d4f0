import { expect } from "chai";
import { type Address, parseEther, zeroAddress } from "viem";
import { memoProgram } from "../../../emulator/chains/svm/svmPayment.ts";
import { getQuote, getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { payOnAlpha } from "../../helpers/perps.ts";
import { deposit, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, sol, svmAccounts, svmBalance, svmUsdc, svmUser } from "../../helpers/svm.ts";

describe("deposits to the SVM chain", () => {
  const fixture = useEmulator({ svm: true });
  const quoted = async (overrides: Partial<Parameters<typeof getQuote>[1]>) =>
    getQuote(fixture.client, {
      amount: parseEther("1").toString(),
      destinationChainId: 792703809,
      destinationCurrency: sol.address,
      originChainId: fixture.alpha.info.id,
      originCurrency: zeroAddress,
      recipient: await freshSvm(),
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...overrides,
    });

  for (const [what, currency, origin] of [
    ["lamports", sol, "ETH"],
    ["tokens", svmUsdc, "USDC"],
  ] as const) {
    // @spec svm/deposit
    // @spec svm/chain-id
    // @spec svm/native-decimals
    it(`a deposit for ${what}: reaches a new wallet to the unit of the quote`, async () => {
      const recipient = await freshSvm();
      const quote = await quoted({
        amount: origin === "ETH" ? parseEther("1").toString() : "25000000",
        destinationCurrency: currency.address,
        originCurrency: fixture.alpha.currency(origin),
        recipient,
      });
      await payOnAlpha(fixture, quote);
      const { status, transactions } = await reached(
        fixture.emulator,
        idOf(quote),
        "success",
        "refund",
        "failure",
      );
      expect(status).to.equal("success");
      const { amount, currency: out } = quote.details.currencyOut;
      expect(out).to.include({ address: currency.address, chainId: 792703809, decimals: currency.decimals });
      expect(await svmBalance(fixture, recipient, currency.address)).to.equal(BigInt(amount));
      const shown = await getStatus(fixture.client, { requestId: idOf(quote) });
      expect(shown).to.include({ destinationChainId: 792703809 });
      expect(shown.txHashes).to.deep.equal(transactions.map(({ hash }) => hash));
    });
  }

  it("a fixed output: arrives exactly, and what was paid beyond it by its price", async () => {
    for (const [currency, amount] of [
      [sol, 1_234_567_891n],
      [svmUsdc, 7_654_321n],
    ] as const) {
      const recipient = await freshSvm();
      const quote = await quoted({
        amount: amount.toString(),
        destinationCurrency: currency.address,
        recipient,
        tradeType: "EXACT_OUTPUT",
      });
      await payOnAlpha(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      expect(await svmBalance(fixture, recipient, currency.address)).to.equal(amount);
    }
  });

  it("an overpaid fixed output of another asset: delivers the surplus at the quoted price", async () => {
    const recipient = await freshSvm();
    const quote = await quoted({ amount: "3000000000", recipient, tradeType: "EXACT_OUTPUT" });
    const paid = BigInt(quote.details.currencyIn.amount);
    await deposit(fixture, orderIdOf(quote), paid + parseEther("0.06"));
    await reached(fixture.emulator, idOf(quote), "success");
    // 0.06 ether at 2,500 dollars are one SOL at 150.
    expect(await svmBalance(fixture, recipient)).to.equal(4_000_000_000n);
  });

  it("lamports below the rent of a new wallet: are refused by the quote", async () => {
    const error = await failureOf(quoted({ amount: "890879", tradeType: "EXACT_OUTPUT" }));
    expect(error).to.include({ errorCode: "AMOUNT_TOO_LOW", status: 400 });
    await quoted({ amount: "890880", tradeType: "EXACT_OUTPUT" });
  });

  it("a wallet emptied after the quote, which the output cannot reopen: refunds for the rent", async () => {
    const recipient = await freshSvm();
    const holding = { account: recipient as Address, chainId: 792703809, currency: sol.address };
    await fixture.emulator.control.balances.set({ ...holding, amount: 1_000_000_000n });
    const quote = await quoted({ amount: "500000", recipient, tradeType: "EXACT_OUTPUT" });
    await fixture.emulator.control.balances.set({ ...holding, amount: 0n });
    await payOnAlpha(fixture, quote);
    const { failReason, status } = await reached(
      fixture.emulator,
      idOf(quote),
      "success",
      "refund",
      "failure",
    );
    expect([status, failReason]).to.deep.equal(["refund", "INSUFFICIENT_FUNDS_FOR_RENT"]);
    expect(await svmBalance(fixture, recipient)).to.equal(0n);
  });

  it("lamports for a program that the payment calls: refunds, because the chain rejects the payment", async () => {
    const quote = await quoted({ recipient: memoProgram });
    await payOnAlpha(fixture, quote);
    const { failReason, status } = await reached(
      fixture.emulator,
      idOf(quote),
      "success",
      "refund",
      "failure",
    );
    expect([status, failReason]).to.deep.equal(["refund", "DESTINATION_TOKEN_TRANSFER_REJECTED"]);
  });

  it("more than the solver holds: is refused by the quote, and refunded if the solver became poorer", async () => {
    const { solver } = await svmAccounts();
    const account = solver.signer.address as string as Address;
    const holding = { account, chainId: 792703809, currency: svmUsdc.address };
    const rich = await fixture.emulator.control.balances.get(holding);
    const parameters = {
      amount: "25000000",
      destinationCurrency: svmUsdc.address,
      tradeType: "EXACT_OUTPUT",
    } as const;
    const quote = await quoted(parameters);
    await fixture.emulator.control.balances.set({ ...holding, amount: 24_999_999n });
    expect(await failureOf(quoted(parameters))).to.include({ errorCode: "INSUFFICIENT_LIQUIDITY" });
    await payOnAlpha(fixture, quote);
    const { failReason, status } = await reached(
      fixture.emulator,
      idOf(quote),
      "success",
      "refund",
      "failure",
    );
    expect([status, failReason]).to.deep.equal(["refund", "SOLVER_BALANCE_TOO_LOW"]);
    await fixture.emulator.control.balances.set({ ...holding, amount: rich });
  });

  it("a recipient whose token account is open: pays its rent all the same, because it may be closed", async () => {
    const open = (await svmUser()).address;
    const common = {
      amount: "25000000",
      destinationCurrency: svmUsdc.address,
      originCurrency: fixture.alpha.currency("USDC"),
    };
    const [known, fresh] = [await quoted({ ...common, recipient: open }), await quoted(common)];
    expect(known.details.currencyOut.amount).to.equal(fresh.details.currencyOut.amount);
  });
});
