import { expect } from "chai";
import { svmInventory, svmTokens } from "../../../emulator/chains/svm/svmCurrencies.ts";
import { getChainLiquidity, getChains, getCurrencies, getQuote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { admin, pay } from "../../helpers/requests/requestRun.ts";
import {
  freshSvm,
  payOnSvm,
  sol,
  svmAccounts,
  svmBalance,
  svmTokenOf,
  svmUsdc,
  svmUser,
  svmWithdrawal,
} from "../../helpers/svm.ts";

describe("chains without contracts in the lists", () => {
  const fixture = useEmulator({ perps: true, svm: true });

  // @spec chain/id chain/solver-currencies chain/solver-addresses chain/protocol chain/vm-type
  it("the SVM chain: names its solver as depository, and as solver currencies what the solver holds", async () => {
    const { apiUrl } = fixture.emulator.info;
    const { solver } = await svmAccounts();
    const { address } = solver.signer;
    const { chains } = await getChains(fixture.client);
    const chain = chains.find(({ id }) => id === 792703809);
    expect(chain).to.deep.include({
      explorerUrl: `${apiUrl}/explorer/792703809`,
      httpRpcUrl: `${apiUrl}/svm`,
      protocol: { v2: { chainId: "solana", depository: address } },
      solverAddresses: [address],
      vmType: "svm",
      wsRpcUrl: `${apiUrl.replace("http", "ws")}/svm`,
    });
    expect(chain?.solverCurrencies?.map((each) => each.address)).to.deep.equal(
      svmInventory.map((each) => each.address),
    );
    const bridged = chain?.erc20Currencies?.filter(({ supportsBridging }) => supportsBridging);
    expect(bridged?.map(({ symbol }) => symbol)).to.deep.equal(["USDC", "USDT"]);
    expect(chain?.erc20Currencies?.map((each) => each.address)).to.deep.equal(
      svmTokens.map((each) => each.address),
    );
  });

  // @spec chain/fees chain/erc20-currencies chain/featured-tokens chain/urls
  it("every chain of any kind: has an explorer, a picture, and fees and a picture of each token", async () => {
    const { chains } = await getChains(fixture.client);
    expect(chains.map(({ vmType }) => vmType)).to.have.members(["evm", "evm", "hypevm", "svm"]);
    const urls = new Set<string>();
    const noFees = { depositFee: 0, surgeEnabled: false, withdrawalFee: 0 };
    for (const { erc20Currencies = [], explorerUrl, featuredTokens = [], iconUrl, ...chain } of chains) {
      expect(chain).to.include(noFees);
      for (const token of erc20Currencies) expect(token).to.include(noFees);
      expect(featuredTokens.length).to.equal(erc20Currencies.length).and.be.greaterThan(0);
      for (const url of [explorerUrl, iconUrl, ...featuredTokens.map(({ metadata }) => metadata?.logoURI)]) {
        if (url == null) throw new Error(`chain ${chain.id} lacks a URL`);
        urls.add(url);
      }
    }
    for (const url of urls) expect((await fetch(url)).status, url).to.equal(200);
  });

  // @spec currency/native currency/metadata
  it("the native currency: is that of EVM chains and of the SVM chain, and none of the exchange", async () => {
    const all = await getCurrencies(fixture.client, { limit: 100 });
    const native = all.filter(({ metadata }) => metadata?.isNative);
    expect(native.map(({ address, chainId }) => [chainId, address])).to.have.deep.members([
      [fixture.alpha.info.id, "0x0000000000000000000000000000000000000000"],
      [fixture.beta.info.id, "0x0000000000000000000000000000000000000000"],
      [792703809, sol.address],
    ]);
    expect(all.some(({ chainId }) => chainId === 1337)).to.equal(true);
  });

  it("liquidity of the SVM chain: names currencies by their addresses there", async () => {
    const { liquidity } = await getChainLiquidity(fixture.client, { chainId: 792703809 });
    expect(liquidity.map(({ address }) => address)).to.deep.equal(svmInventory.map(({ address }) => address));
  });

  it("currencies of the SVM chain: are found by address and as tokens in their own letter case alone", async () => {
    const { address } = svmUsdc;
    const chainIds = [792703809];
    const found = async (request: { address?: string; chainIds?: number[]; tokens?: string[] }) =>
      (await getCurrencies(fixture.client, request)).map((each) => `${each.chainId}:${each.address}`);
    const token = `792703809:${address}`;
    expect(await found({ address, chainIds })).to.deep.equal([token]);
    expect(await found({ tokens: [token] })).to.deep.equal([token]);
    expect(await found({ address: address.toLowerCase(), chainIds })).to.deep.equal([]);
    expect(await found({ tokens: [token.toLowerCase()] })).to.deep.equal([]);
    expect(await found({ tokens: [`1337:${address}`] })).to.deep.equal([]);
  });

  it("what deposit addresses take: the solver's currencies on EVM chains and the SVM chain, and none of the exchange", async () => {
    const found = await getCurrencies(fixture.client, { depositAddressOnly: true, limit: 100 });
    const on = (chainId: number) =>
      found.filter((each) => each.chainId === chainId).map(({ symbol }) => symbol);
    expect(on(792703809)).to.deep.equal(["SOL", "USDC", "USDT"]);
    expect(on(fixture.alpha.info.id)).to.deep.equal(["ETH", "USDC"]);
    expect(on(1337)).to.deep.equal([]);
  });

  it("trending currencies: count what was bought on the SVM chain", async () => {
    const { address } = svmTokenOf("WIF");
    const quote = await getQuote(fixture.client, {
      amount: "50000000000000000",
      destinationChainId: 792703809,
      destinationCurrency: address,
      originChainId: fixture.alpha.info.id,
      originCurrency: "0x0000000000000000000000000000000000000000",
      recipient: await freshSvm(),
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
    });
    await pay(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/currencies/trending?limit=1`);
    expect(((await answer.json()) as { address: string }[])[0]?.address).to.equal(address);
  });

  it("a fault for an SVM user, and one for a currency by its address there: strike no others", async () => {
    const { faults } = fixture.emulator.control;
    const [user, other] = [await svmUser(0), await svmUser(1)];
    await faults.add({ failReason: "SLIPPAGE", kind: "fill-fails", user: user.address });
    for (const [payer, end] of [
      [other, "success"],
      [user, "refund"],
    ] as const) {
      const quote = await svmWithdrawal(fixture, { user: payer.address });
      await payOnSvm(fixture, quote, payer);
      expect((await reached(fixture.emulator, idOf(quote), "success", "refund")).status).to.equal(end);
    }
    const broke = { destinationChainId: 792703809, kind: "solver-broke" } as const;
    const { id } = await faults.add({ ...broke, currency: svmUsdc.address });
    const outcomes: string[] = [];
    for (const currency of [svmUsdc.address, sol.address]) {
      const quote = await getQuote(fixture.client, {
        amount: "50000000000000000",
        destinationChainId: 792703809,
        destinationCurrency: currency,
        originChainId: fixture.alpha.info.id,
        originCurrency: "0x0000000000000000000000000000000000000000",
        recipient: await freshSvm(),
        tradeType: "EXACT_INPUT",
        user: fixture.alpha.wallet(0).account.address,
      });
      await pay(fixture, quote);
      outcomes.push((await reached(fixture.emulator, idOf(quote), "success", "refund")).status);
    }
    expect(outcomes).to.deep.equal(["refund", "success"]);
    await faults.remove(id);
  });

  it("balances over HTTP: are set and read for SVM accounts, and refused for accounts of another chain", async () => {
    const account = await freshSvm();
    const change = { account, amount: "77", chainId: 792703809, currency: svmUsdc.address };
    const put = (body: object) => admin(fixture, "PUT", "/balances", body);
    expect((await put(change)).status).to.equal(200);
    expect(await svmBalance(fixture, account, svmUsdc.address)).to.equal(77n);
    const query = new URLSearchParams({ account, chainId: "792703809", currency: "usdc" });
    const { body } = await admin(fixture, "GET", `/balances?${query}`);
    expect(body).to.include({ amount: "77" });
    expect((await put({ ...change, account: fresh() })).status).to.equal(409);
    expect((await put({ ...change, account: "nobody" })).status).to.equal(400);
  });
});
