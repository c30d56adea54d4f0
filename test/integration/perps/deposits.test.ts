import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";
import { getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { depositQuote, ended, exchangeBalance, payOnAlpha } from "../../helpers/perps.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";

const spotUsdc = "0x6d1e7cde53ba9467b783cb7c530ce054";
const spotEther = "0xe1edd30daaf5caac3fe63569e24748da";

describe("deposits to the perps exchange", () => {
  const fixture = useEmulator({ perps: true });

  // @spec perps/deposit-filled perps/decimals
  it("USDC of an EVM chain: reaches the perps account, as quoted to the unit", async () => {
    const recipient = fresh();
    const quote = await depositQuote(fixture, { recipient });
    await payOnAlpha(fixture, quote);
    const { status, transactions } = await ended(fixture, quote);
    expect(status).to.equal("success");
    const { amount, currency } = quote.details.currencyOut;
    expect(currency).to.include({ address: `0x${"00".repeat(16)}`, chainId: 1337, decimals: 8 });
    expect(await exchangeBalance(fixture, recipient)).to.equal(BigInt(amount));
    const shown = await getStatus(fixture.client, { requestId: idOf(quote) });
    expect(shown).to.include({ destinationChainId: 1337, originChainId: fixture.alpha.info.id });
    expect(shown.txHashes).to.deep.equal(transactions.map(({ hash }) => hash));
  });

  for (const [what, currency, address] of [
    ["a spot token", { kind: "spot", tokenId: spotUsdc }, spotUsdc],
    ["a third party's market", { kind: "market", market: "xyz", tokenId: spotUsdc }, `${spotUsdc}78797a`],
  ] as const) {
    it(`a deposit into ${what}: reaches that balance alone`, async () => {
      const recipient = fresh();
      const quote = await depositQuote(fixture, { currency, recipient });
      await payOnAlpha(fixture, quote);
      expect((await ended(fixture, quote)).status).to.equal("success");
      const { amount } = quote.details.currencyOut;
      expect(await exchangeBalance(fixture, recipient, address)).to.equal(BigInt(amount));
      expect(await exchangeBalance(fixture, recipient)).to.equal(0n);
    });
  }

  it("ether to spot ether of 9 decimals, and to perps USDC through a pool: delivers at least the minimum", async () => {
    for (const [currency, address] of [
      [{ kind: "spot", tokenId: spotEther }, spotEther],
      [undefined, undefined],
    ] as const) {
      const recipient = fresh();
      const parameters = { amount: parseEther("1"), originCurrency: zeroAddress, recipient };
      const quote = await depositQuote(fixture, { ...parameters, currency });
      await payOnAlpha(fixture, quote);
      expect((await ended(fixture, quote)).status).to.equal("success");
      const { minimumAmount } = quote.details.currencyOut;
      const arrived = await exchangeBalance(fixture, recipient, address);
      expect(arrived >= BigInt(minimumAmount ?? 0)).to.equal(true);
    }
  });

  it("a fixed output: reaches the account exactly", async () => {
    const recipient = fresh();
    const quote = await depositQuote(fixture, {
      amount: 1_234_567_891n,
      recipient,
      tradeType: "EXACT_OUTPUT",
    });
    await payOnAlpha(fixture, quote);
    expect((await ended(fixture, quote)).status).to.equal("success");
    expect(await exchangeBalance(fixture, recipient)).to.equal(1_234_567_891n);
  });
});
