import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { callsOf, gaslessBody, postExecute, unfundedUser } from "../../helpers/quotes/gasless.ts";
import { fiftyDollars, quoteFor, sendAs } from "../../helpers/quotes/intents.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { outputOf, reorgStage, triggers } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a reorg of gasless calls", () => {
  const fixture = useEmulator({ reorgs: true });
  const { expectNoGap, lose } = reorgStage(fixture);

  async function pay(index: number, sameChain: boolean) {
    const { alpha } = fixture;
    const [user, recipient] = [unfundedUser(index), fresh()];
    const data = erc20Data("transfer", user.address, fiftyDollars("USDC"));
    await sendAs(alpha, 0, { data, to: alpha.currency("USDC") });
    const quote = await quoteFor(fixture, {
      from: "USDC",
      recipient,
      sameChain,
      to: "WETH",
      user: user.address,
    });
    await postExecute(fixture, await gaslessBody(user, alpha, callsOf(quote), { requestId: idOf(quote) }));
    await reached(fixture.emulator, idOf(quote), "success");
    return { quote, recipient, user };
  }

  it("a deposit that vanishes: is sent again with its authorization, and filled once", async () => {
    const { alpha, beta, emulator } = fixture;
    const { quote, recipient, user } = await pay(501, false);
    await lose(alpha);
    await until(async () => {
      const code = await alpha.reader.getCode({ address: user.address });
      const { deposits } = await historyOf(emulator, idOf(quote));
      return code !== undefined && deposits[0]?.outcome === "accepted" ? deposits : undefined;
    }, "the deposit to be found again");
    expect(await beta.balanceOf(beta.currency("WETH"), recipient)).to.equal(outputOf(quote));
    expect(await alpha.balanceOf(alpha.currency("USDC"), user.address)).to.equal(0n);
    await expectNoGap(alpha);
  });

  it("a swap on one chain that vanishes: is executed again", async () => {
    const { alpha, emulator } = fixture;
    const { quote, recipient } = await pay(502, true);
    await lose(alpha);
    await until(async () => {
      const history = await historyOf(emulator, idOf(quote));
      const count = triggers(history).filter((trigger) => trigger === "own-succeeded").length;
      return count === 2 && history.status === "success" ? history : undefined;
    }, "the request to end again");
    expect(await alpha.balanceOf(alpha.currency("WETH"), recipient)).to.equal(outputOf(quote));
    await expectNoGap(alpha);
  });
});
