import { expect } from "chai";
import { encodeFunctionData } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { fastFillRefusal, fillFast, outstandingOf } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { mine, withoutAutomine } from "../../helpers/localChain.ts";
import { sendAs } from "../../helpers/quotes/intents.ts";
import {
  handIn,
  postSignature,
  type SignedWay,
  signed,
  signedQuote,
  signQuote,
  takeAuthorizations,
} from "../../helpers/quotes/permits.ts";
import { fresh, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { outputOf } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a signed deposit of a fast-filled request", () => {
  const fixture = useEmulator({ reorgs: true });
  const user = () => fixture.alpha.wallet(0).account.address;

  async function quoted(way: SignedWay) {
    const [recipient, wallet] = [fresh(), fresh()];
    const appFees = [{ fee: "1", recipient: wallet }];
    const quote = await signedQuote(fixture, { ...signed(way), appFees, recipient });
    return { quote, recipient, wallet };
  }
  type Quoted = Awaited<ReturnType<typeof quoted>>["quote"];
  const holds = (quote: Quoted, what: string, isSo: (history: RequestHistory) => boolean) =>
    until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      return isSo(history) ? history : undefined;
    }, what);
  const received = (recipient: `0x${string}`) =>
    fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);

  for (const way of ["permit2", "eip3009"] as const) {
    it(`${way}, submitted after the fill: the deposit is sent, and pays the advance back`, async () => {
      const { quote, recipient, wallet } = await quoted(way);
      await fillFast(fixture, quote);
      const { events } = await reached(fixture.emulator, idOf(quote), "success");
      expect(await outstandingOf(fixture, wallet)).to.be.above(0);
      await handIn(fixture, quote);
      // A client that lost the answer repeats its call.
      await handIn(fixture, quote);
      const history = await holds(quote, "the deposit", ({ deposits }) => deposits.length === 1);
      expect([history.status, history.deposits[0]?.outcome]).to.deep.equal(["success", "netted"]);
      expect([history.events, history.children]).to.deep.equal([events, []]);
      expect(await outstandingOf(fixture, wallet)).to.equal(0);
      expect(await received(recipient)).to.equal(outputOf(quote));
    });
  }

  it("ERC-2612, submitted after the fill: the user's deposit is returned as a step", async () => {
    const restore = await takeAuthorizations(fixture.alpha);
    const { quote } = await quoted("permit");
    await fillFast(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
    const signature = await signQuote(fixture.alpha.wallet(0).account, quote);
    const { body, status } = await postSignature(fixture, quote, signature);
    expect([status, (body["steps"] as unknown[]).length]).to.deep.equal([200, 1]);
    await restore();
  });

  it("submitted after another deposit paid the debt: is refused, and takes nothing", async () => {
    const { quote, wallet } = await quoted("eip3009");
    await fillFast(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
    const { depository } = fixture.alpha.info.contracts;
    const [token, amount] = [fixture.alpha.currency("USDC"), BigInt(quote.details.currencyIn?.amount ?? 0)];
    await sendAs(fixture.alpha, 0, { data: erc20Data("approve", depository, amount), to: token });
    const data = encodeFunctionData({
      abi: relayDepositoryAbi,
      args: [user(), token, amount, orderIdOf(quote)],
      functionName: "depositErc20",
    });
    await sendAs(fixture.alpha, 0, { data, to: depository });
    await holds(quote, "the deposit", ({ deposits }) => deposits.length === 1);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    const held = await fixture.alpha.balanceOf(token, user());
    const signature = await signQuote(fixture.alpha.wallet(0).account, quote);
    expect((await postSignature(fixture, quote, signature)).status).to.equal(400);
    expect(await fixture.alpha.balanceOf(token, user())).to.equal(held);
  });

  it("submitted after the fill, and voided by the payer: the request stays filled and the debt outstanding", async () => {
    const { quote, wallet } = await quoted("permit2");
    await fillFast(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
    const owed = await outstandingOf(fixture, wallet);
    const token = fixture.alpha.currency("USDT");
    const spender = fixture.alpha.info.contracts.permit2;
    await sendAs(fixture.alpha, 0, { data: erc20Data("approve", spender, 0n), to: token });
    await handIn(fixture, quote);
    await mine(fixture.alpha);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { deposits, status } = await historyOf(fixture.emulator, idOf(quote));
    expect([status, deposits]).to.deep.equal(["success", []]);
    expect(await outstandingOf(fixture, wallet)).to.equal(owed);
  });

  it("a deposit that is sent and not mined, which the payer voids: the fast fill is refused, and nothing is paid", async () => {
    const { quote, recipient } = await quoted("permit2");
    const { alpha, emulator } = fixture;
    await withoutAutomine(alpha, async () => {
      const address = emulator.info.solver;
      await handIn(fixture, quote);
      await until(async () => {
        const [mined, sent] = await Promise.all([
          alpha.reader.getTransactionCount({ address }),
          alpha.reader.getTransactionCount({ address, blockTag: "pending" }),
        ]);
        return sent > mined ? true : undefined;
      }, "the signed deposit to be sent");
      expect((await fastFillRefusal(fixture, idOf(quote)))[0]).to.equal(409);
      const wallet = alpha.wallet(0);
      await wallet.sendTransaction({
        data: erc20Data("approve", alpha.info.contracts.permit2, 0n),
        maxFeePerGas: 900_000_000_000n,
        maxPriorityFeePerGas: 800_000_000_000n,
        gas: 100_000n,
        to: alpha.currency("USDT"),
      });
      await mine(alpha);
    });
    await reached(emulator, idOf(quote), "failure");
    expect(await received(recipient)).to.equal(0n);
  });
});
