import { expect } from "chai";
import { getChains, getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { exchangeBalance, withdraw, withdrawalQuote, withdrawn } from "../../helpers/perps.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";

describe("withdrawals from the perps exchange", () => {
  const fixture = useEmulator({ perps: true });

  // @spec perps/settlement perps/withdrawal-quoted
  it("a signed statement and a transfer with its nonce: pay for the order, to the unit", async () => {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    const user = alpha.wallet(0).account.address;
    const before = await exchangeBalance(fixture, user);
    const quote = await withdrawalQuote(fixture, { recipient });
    expect(quote.steps.map(({ id, kind }) => [id, kind])).to.deep.equal([
      ["authorize", "signature"],
      ["deposit", "transaction"],
    ]);
    const { deposits, status } = await withdraw(fixture, quote);
    expect(status).to.equal("success");
    const arrived = await beta.balanceOf(beta.currency("USDC"), recipient);
    expect(arrived).to.equal(BigInt(quote.details.currencyOut.amount));
    expect(await exchangeBalance(fixture, user)).to.equal(before - withdrawn);
    const shown = await getStatus(fixture.client, { requestId: idOf(quote) });
    expect(shown).to.include({ destinationChainId: beta.info.id, originChainId: 1337 });
    expect(shown.inTxHashes).to.deep.equal(deposits.map(({ txHash }) => txHash));
  });

  it("explorer pages of the exchange, an action and an account: exist under the link of GET /chains", async () => {
    const { client, emulator } = fixture;
    const quote = await withdrawalQuote(fixture);
    const { deposits } = await withdraw(fixture, quote);
    const exchange = (await getChains(client)).chains.find(({ id }) => id === 1337);
    const pageOf = async (path: string) => {
      const answer = await fetch(`${exchange?.explorerUrl}${path}`);
      return { status: answer.status, text: await answer.text() };
    };
    const user = fixture.alpha.wallet(0).account.address;
    const [action, account, ledger] = [
      await pageOf(`/tx/${deposits[0]?.txHash}`),
      await pageOf(`/address/${user}`),
      await pageOf(""),
    ];
    expect(action.text).to.include(idOf(quote)).and.include("25 USD Coin (perps)");
    expect(account.text).to.include(idOf(quote)).and.include("USD Coin (xyz)");
    expect(ledger.text).to.include(`${emulator.info.apiUrl}/perps`);
    expect([action, account, ledger].map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    for (const path of [`/tx/0x${"00".repeat(32)}`, "/tx/none", "/address/none"]) {
      expect((await pageOf(path)).status).to.equal(404);
    }
  });
});
