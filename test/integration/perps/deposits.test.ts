import { expect } from "chai";
import { getChains, getQuote, getStatus } from "../../../src/client/index.ts";
import { perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  depositQuote,
  ended,
  exchangeBalance,
  payOnAlpha,
  withdraw,
  withdrawalQuote,
} from "../../helpers/perps.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { freshSvm, payOnSvm, sol, svmBalance, svmUsdc, svmUser } from "../../helpers/svm.ts";

const spotUsdc = "0x6d1e7cde53ba9467b783cb7c530ce054";

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
});

describe("the perps exchange in the lists", () => {
  const fixture = useEmulator({ perps: true });

  // @spec perps/chain-listed
  it("GET /chains: lists chain 1337 with its type, currencies and the solver's account", async () => {
    const { chains } = await getChains(fixture.client);
    const exchange = chains.find(({ id }) => id === 1337);
    expect(exchange).to.deep.include({
      name: "hyperliquid",
      solverAddresses: [fixture.emulator.info.solver.toLowerCase()],
      vmType: "hypevm",
    });
    expect(exchange?.currency).to.include({ address: perpsUsdcAddress, decimals: 8, symbol: "USDC" });
    const listed = exchange?.solverCurrencies?.map(({ address, decimals }) => [address, decimals]);
    expect(listed).to.deep.equal([
      [perpsUsdcAddress, 8],
      ["0x6d1e7cde53ba9467b783cb7c530ce054", 8],
      ["0xe1edd30daaf5caac3fe63569e24748da", 9],
      ["0x6d1e7cde53ba9467b783cb7c530ce05478797a", 8],
    ]);
  });
});

describe("payments between the perps exchange and the SVM chain", () => {
  const fixture = useEmulator({ perps: true, svm: true });

  for (const { address } of [svmUsdc, sol]) {
    it(`a withdrawal in ${address}: reaches a new wallet to the unit of the quote`, async () => {
      const recipient = await freshSvm();
      const overrides = { destinationChainId: 792703809, destinationCurrency: address, recipient };
      const quote = await withdrawalQuote(fixture, overrides);
      expect((await withdraw(fixture, quote)).status).to.equal("success");
      const { amount } = quote.details.currencyOut;
      expect(await svmBalance(fixture, recipient, address)).to.equal(BigInt(amount));
    });

    it(`a deposit of ${address}: reaches the account to the unit of the quote`, async () => {
      const [recipient, user] = [fresh(), await svmUser()];
      const quote = await getQuote(fixture.client, {
        amount: address === sol.address ? "2000000000" : "25000000",
        destinationChainId: 1337,
        destinationCurrency: perpsUsdcAddress,
        originChainId: 792703809,
        originCurrency: address,
        recipient,
        tradeType: "EXACT_INPUT",
        user: user.address,
      });
      await payOnSvm(fixture, quote, user);
      expect((await ended(fixture, quote)).status).to.equal("success");
      const { amount } = quote.details.currencyOut;
      expect(await exchangeBalance(fixture, recipient)).to.equal(BigInt(amount));
    });
  }
});
