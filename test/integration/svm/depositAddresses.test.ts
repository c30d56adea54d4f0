import { expect } from "chai";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import { getQuote, getStatus, type Quote } from "../../../src/client/index.ts";
import { isSvmAddress } from "../../../src/svm/address.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, payAddress, sol, svmBalance, svmUsdc, svmUser, svmWithdrawal } from "../../helpers/svm.ts";

const chainId = 792703809;
const ends = ["success", "refund", "failure"] as const;

describe("deposit addresses on the SVM chain", () => {
  const logged: LogEntry[] = [];
  const fixture = useEmulator({ log: (entry) => logged.push(entry), svm: true });
  const stage = depositAddressStage(fixture);
  const addressOf = (quote: Quote) => quote.steps[0]?.depositAddress ?? "";
  const requestsAt = (address: string) => stage.requestsAt(address as `0x${string}`);
  const endOf = (quote: Quote) => reached(fixture.emulator, idOf(quote), ...ends);
  const quoteAt = (overrides: Partial<Parameters<typeof getQuote>[1]> = {}) =>
    svmWithdrawal(fixture, { useDepositAddress: true, ...overrides });
  const lamports = (overrides: Partial<Parameters<typeof getQuote>[1]> = {}) =>
    quoteAt({
      amount: "2000000000",
      destinationCurrency: fixture.beta.currency("ETH"),
      originCurrency: sol.address,
      ...overrides,
    });

  for (const [what, currency, out] of [
    ["tokens", svmUsdc, "USDC"],
    ["lamports", sol, "ETH"],
  ] as const) {
    for (const strict of [false, true]) {
      it(`the quoted ${what} to a${strict ? " strict" : "n open"} address, from another account: are filled`, async () => {
        const payer = await svmUser(1);
        const refundTo = await freshSvm();
        const terms = { refundTo, strict };
        const quote = currency === sol ? await lamports(terms) : await quoteAt(terms);
        const address = addressOf(quote);
        expect(isSvmAddress({ address })).to.equal(true);
        const amount = BigInt(quote.details.currencyIn.amount);
        const depositTxHash = await payAddress(fixture, address, { amount, currency, from: payer });
        expect((await endOf(quote)).status).to.equal("success");
        const arrived = await fixture.beta.balanceOf(
          fixture.beta.currency(out),
          quote.details.recipient as `0x${string}`,
        );
        const { amount: quoted, minimumAmount } = quote.details.currencyOut;
        expect(arrived >= BigInt(minimumAmount ?? quoted)).to.equal(true);
        expect(await svmBalance(fixture, address, currency.address)).to.equal(0n);
        const shown = await getStatus(fixture.client, { requestId: idOf(quote) });
        expect(shown.depositAddress).to.deep.equal({
          address,
          depositAddressType: strict ? "strict" : "open",
          depositor: payer.address,
          depositTxHash,
        });
        const [record] = await requestsAt(address);
        expect(record?.depositAddress).to.include({ address, depositor: payer.address, depositTxHash });
      });
    }
  }

  it("an attacker's lamport after the payment: does not keep the address from being swept", async () => {
    const [user, attacker] = [await svmUser(), await svmUser(2)];
    const quote = await lamports({ refundTo: await freshSvm(), strict: true });
    const address = addressOf(quote);
    const { faults } = fixture.emulator.control;
    await faults.add({ delayMs: 500, kind: "signed-deposit-slow", requestId: idOf(quote) });
    await payAddress(fixture, address, { amount: 2_000_000_000n, from: user });
    await payAddress(fixture, address, { amount: 1n, from: attacker });
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.be.oneOf(["waiting", "depositing"]);
    expect((await endOf(quote)).status).to.equal("success");
    expect(await svmBalance(fixture, address)).to.equal(0n);
  });

  it("the chain's native address as refundTo: a payment that cannot be filled goes back to its sender", async () => {
    const payer = await svmUser(1);
    const quote = await lamports({ refundTo: sol.address, strict: true });
    const { faults } = fixture.emulator.control;
    await faults.add({ failReason: "SLIPPAGE", kind: "fill-fails", requestId: idOf(quote) });
    const before = await svmBalance(fixture, payer.address);
    await payAddress(fixture, addressOf(quote), { amount: 2_000_000_000n, from: payer });
    expect((await endOf(quote)).status).to.equal("refund");
    const lost = before - (await svmBalance(fixture, payer.address));
    expect(lost > 0n && lost < 100_000n, `${lost}`).to.equal(true);
    expect((await requestsAt(addressOf(quote)))[0]?.refundTo).to.equal(payer.address);
  });

  it("a payment to an EVM address for the SVM chain: reaches the SVM recipient", async () => {
    const recipient = await freshSvm();
    const quote = await getQuote(fixture.client, {
      amount: "50000000",
      destinationChainId: chainId,
      destinationCurrency: svmUsdc.address,
      originChainId: fixture.alpha.info.id,
      originCurrency: fixture.alpha.currency("USDC"),
      recipient,
      tradeType: "EXACT_INPUT",
      useDepositAddress: true,
      user: fixture.alpha.wallet(3).account.address,
    });
    await stage.pay(addressOf(quote) as `0x${string}`, "USDC", 50_000_000n);
    expect((await endOf(quote)).status).to.equal("success");
    const out = BigInt(quote.details.currencyOut.minimumAmount ?? quote.details.currencyOut.amount);
    expect((await svmBalance(fixture, recipient, svmUsdc.address)) >= out).to.equal(true);
  });
});
