import { expect } from "chai";
import { getChainLiquidity, getChains, getConfig, getCurrencies } from "../../../src/client/index.ts";
import { perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { exchangeBalance } from "../../helpers/perps.ts";
import { askPlainly } from "../../helpers/quotes/bridgeIntent.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

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

  it("the currencies of chain 1337: are found by chain, with their type", async () => {
    const found = await getCurrencies(fixture.client, { chainIds: [1337] });
    expect(found).to.have.length(4);
    for (const { vmType } of found) expect(vmType).to.equal("hypevm");
  });

  it("liquidity and route of the exchange: are the solver's balance there", async () => {
    const { alpha, client, emulator } = fixture;
    const held = (await exchangeBalance(fixture, emulator.info.solver)).toString();
    const { liquidity } = await getChainLiquidity(client, { chainId: 1337 });
    expect(liquidity[0]).to.include({ balance: held, symbol: "USDC" });
    const route = { currency: "usdc", destinationChainId: 1337, originChainId: alpha.info.id };
    const config = await getConfig(client, route);
    expect(config).to.have.property("enabled", true);
    expect(config.solver?.balance).to.equal(held);
  });

  it("balances set by the control, and the state after a reset: are the exchange's own", async () => {
    const { balances, reset } = fixture.emulator.control;
    const [account, user] = [fresh(), fixture.alpha.wallet(0).account.address];
    const funded = await exchangeBalance(fixture, user);
    await balances.set({ account, amount: 7n, chainId: 1337, currency: perpsUsdcAddress });
    await balances.set({ account: user, amount: 8n, chainId: 1337, currency: perpsUsdcAddress });
    expect(await exchangeBalance(fixture, account)).to.equal(7n);
    await reset();
    expect(await exchangeBalance(fixture, account)).to.equal(0n);
    expect(await exchangeBalance(fixture, user)).to.equal(funded);
  });

  it("a question that the exchange does not answer: is refused", async () => {
    const init = { body: JSON.stringify({ type: "openOrders" }), method: "POST" };
    expect((await askPlainly(fixture, "/perps/info", init)).status).to.equal(400);
  });
});

describe("an emulator without the perps exchange", () => {
  const fixture = useEmulator();

  it("does not list chain 1337, and answers 404 below /perps", async () => {
    const { chains } = await getChains(fixture.client);
    expect(chains.some(({ id }) => id === 1337)).to.equal(false);
    for (const [path, body] of [
      ["exchange", {}],
      ["info", { type: "spotMeta" }],
    ]) {
      const init = { body: JSON.stringify(body), method: "POST" };
      expect((await askPlainly(fixture, `/perps/${path}`, init)).status).to.equal(404);
    }
  });
});
