import { expect } from "chai";
import { svmCurrencies } from "../../../emulator/chains/svm/svmCurrencies.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";
import {
  freshSvm,
  payOnSvm,
  sol,
  svmBalance,
  svmUsdc,
  svmUser,
  svmWithdrawal,
  transferToSolver,
} from "../../helpers/svm.ts";

const mint = (symbol: string) => svmCurrencies.find((each) => each.symbol === symbol)?.address ?? "";
const ends = ["success", "refund", "failure"] as const;

describe("requests that stay on the SVM chain", () => {
  const fixture = useEmulator({ perps: true, svm: true });
  const quoted = async (overrides: Parameters<typeof svmWithdrawal>[1]) =>
    svmWithdrawal(fixture, {
      destinationChainId: 792703809,
      destinationCurrency: svmUsdc.address,
      recipient: await freshSvm(),
      ...overrides,
    });
  const endOf = async (quote: Awaited<ReturnType<typeof quoted>>) => {
    const { failReason, status } = await reached(fixture.emulator, idOf(quote), ...ends);
    return [status, failReason];
  };

  for (const [from, to, operation, input] of [
    ["SOL", "USDC", "swap", "1000000000"],
    ["USDC", "SOL", "swap", "100000000"],
    ["JTO", "USDC", "swap", "9000000000"],
    ["USDC", "USDC", "send", "100000000"],
  ] as const) {
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
      it(`${from} to ${to}, ${tradeType}: the recipient gets the quoted output to the unit`, async () => {
        const recipient = await freshSvm();
        const quote = await quoted({
          amount: tradeType === "EXACT_INPUT" ? input : "100000000",
          destinationCurrency: mint(to),
          originCurrency: mint(from),
          recipient,
          tradeType,
        });
        expect(quote.details.operation).to.equal(operation);
        await payOnSvm(fixture, quote, await svmUser());
        expect(await endOf(quote)).to.deep.equal(["success", null]);
        const { amount } = quote.details.currencyOut;
        expect((await svmBalance(fixture, recipient, mint(to))).toString()).to.equal(amount);
      });
    }
  }

  it("a second payment: is refunded, and the recipient is paid once", async () => {
    const [recipient, user] = [await freshSvm(), await svmUser()];
    const quote = await quoted({ recipient, refundTo: user.address });
    const before = await svmBalance(fixture, user.address, svmUsdc.address);
    await payOnSvm(fixture, quote, user);
    expect(await endOf(quote)).to.deep.equal(["success", null]);
    await payOnSvm(fixture, quote, user);
    const child = await until(
      async () => (await historyOf(fixture.emulator, idOf(quote))).children[0],
      "the refund's request",
    );
    expect(child.failReason).to.equal("DOUBLE_SPEND");
    expect((await reached(fixture.emulator, child.requestId, ...ends)).status).to.equal("refund");
    expect((await svmBalance(fixture, recipient, svmUsdc.address)).toString()).to.equal(
      quote.details.currencyOut.amount,
    );
    const lost = before - (await svmBalance(fixture, user.address, svmUsdc.address));
    // The first payment, and the fee of the refund.
    expect(lost).to.equal(25_000_000n + 750n);
  });

  it("one unit less than a fixed output needs: is refunded", async () => {
    const user = await svmUser();
    const quote = await quoted({
      originCurrency: sol.address,
      refundTo: user.address,
      tradeType: "EXACT_OUTPUT",
    });
    const amount = BigInt(quote.details.currencyIn.amount) - 1n;
    await transferToSolver(fixture, { amount, from: user, memo: orderIdOf(quote) });
    expect(await endOf(quote)).to.deep.equal(["refund", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"]);
  });

  it("a payment by another account: is refunded to it, and the request waits", async () => {
    const [user, stranger] = [await svmUser(), await svmUser(1)];
    const quote = await quoted({ refundTo: user.address, user: user.address });
    const payment = { amount: 25_000_000n, currency: svmUsdc, memo: orderIdOf(quote) };
    await transferToSolver(fixture, { ...payment, from: stranger });
    const child = await until(
      async () => (await historyOf(fixture.emulator, idOf(quote))).children[0],
      "the refund's request",
    );
    expect(child.failReason).to.equal("INVALID_SENDER");
    expect((await reached(fixture.emulator, child.requestId, ...ends)).status).to.equal("refund");
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");
  });

  it("a request that stays on the perps exchange: is refused with UNSUPPORTED_ROUTE", async () => {
    const usdc = `0x${"0".repeat(32)}`;
    const user = fixture.alpha.wallet(0).account.address;
    const perps = { destinationChainId: 1337, destinationCurrency: usdc, originChainId: 1337 };
    const refused = quoted({ ...perps, originCurrency: usdc, recipient: user, user, protocolVersion: "v2" });
    expect(await failureOf(refused)).to.include({ errorCode: "UNSUPPORTED_ROUTE" });
  });
});
