import { expect } from "chai";
import { getStatus } from "../../../src/client/index.ts";
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
});
