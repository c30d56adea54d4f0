import { expect } from "chai";
import { svmInventory, svmTokens } from "../../../emulator/chains/svm/svmCurrencies.ts";
import { getChains, getCurrencies, getQuote, type Quote } from "../../../src/client/index.ts";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import { svmNativeToken } from "../../../src/svm/constants.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { fresh, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { recordReaders } from "../../helpers/requests/recordReaders.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { pay } from "../../helpers/requests/requestRun.ts";
import {
  freshSvm,
  payOnSvm,
  sol,
  svmAccounts,
  svmBalance,
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
});

describe("the explorer of the SVM chain", () => {
  const fixture = useEmulator({ perps: true, svm: true });

  async function load(path: string) {
    const { chains } = await getChains(fixture.client);
    const base = chains.find(({ id }) => id === 792703809)?.explorerUrl;
    return (await fetch(`${base}${path}`)).json();
  }

  it("shows status, logs, balances and request of a deposit, and its user's account", async () => {
    const user = await svmUser();
    const quote = await svmWithdrawal(fixture, { recipient: fresh() });
    const signature = await payOnSvm(fixture, quote, user);
    await reached(fixture.emulator, idOf(quote), "success");
    const requests = [{ id: idOf(quote), status: "success" }];
    const transaction = await load(`/tx/${signature}`);
    expect(transaction).to.deep.include({ fee: "5000", hash: signature, requests, status: "success" });
    expect(transaction.logs.join()).to.include("invoke [1]");
    const spent = transaction.balances.find(
      ({ account, symbol }: Record<string, string>) => account === user.address && symbol === "USDC",
    );
    expect(BigInt(spent.after)).to.be.lessThan(BigInt(spent.before));
    const account = await load(`/address/${user.address}`);
    expect(account.requests).to.deep.equal(requests);
    const held = (await svmBalance(fixture, user.address, svmUsdc.address)).toString();
    expect(account.balances).to.deep.include({
      amount: held,
      currency: svmUsdc.address,
      decimals: 6,
      symbol: "USDC",
    });
    const chain = await load("");
    expect(chain.rpcUrl).to.equal(`${fixture.emulator.info.apiUrl}/svm`);
    expect(JSON.stringify(chain.blocks)).to.include(signature);
  });
});

type Overrides = Partial<Parameters<typeof getQuote>[1]>;

describe("quotes of the SVM chain", () => {
  const fixture = useEmulator({ svm: true });
  const withdrawal = (overrides: Overrides = {}) => svmWithdrawal(fixture, overrides);
  const toSvm = async (overrides: Overrides = {}): Promise<Quote> =>
    getQuote(fixture.client, {
      amount: "25000000",
      destinationChainId: 792703809,
      destinationCurrency: svmUsdc.address,
      originChainId: fixture.alpha.info.id,
      originCurrency: fixture.alpha.currency("USDC"),
      recipient: await freshSvm(),
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...overrides,
    });

  it("a quote in either direction: has an order whose hash is its orderId, with SVM addresses in base58", async () => {
    for (const quote of [await withdrawal(), await toSvm()]) {
      const data = quote.protocol?.v2?.orderData;
      if (data === undefined) throw new Error("the quote has no order");
      expect(hashOrder({ order: normalizeOrder({ orderData: data }) })).to.equal(orderIdOf(quote));
    }
    const { details } = await toSvm({ recipient: "Wa11et1111111111111111111111111111111111111" });
    expect(details.recipient).to.equal("Wa11et1111111111111111111111111111111111111");
    expect((await withdrawal()).details.sender).to.equal((await svmUser()).address);
  });

  it("another fee payer: pays the fee, and the user's lamports stay", async () => {
    const [user, payer] = [await svmUser(0), await svmUser(1)];
    const quote = await withdrawal({ depositFeePayer: payer.address, includeComputeUnitLimit: true });
    const [before, payerBefore] = [
      await svmBalance(fixture, user.address),
      await svmBalance(fixture, payer.address),
    ];
    await payOnSvm(fixture, quote, user, payer);
    expect((await reached(fixture.emulator, idOf(quote), "success", "refund", "failure")).status).to.equal(
      "success",
    );
    expect(await svmBalance(fixture, user.address)).to.equal(before);
    // Two signatures.
    expect(await svmBalance(fixture, payer.address)).to.equal(payerBefore - 10_000n);
  });

  it("records of both versions: show SVM addresses in base58, and are found by them and by the signature", async () => {
    const user = await svmUser(2);
    const quote = await withdrawal({ user: user.address });
    const signature = await payOnSvm(fixture, quote, user);
    await reached(fixture.emulator, idOf(quote), "success");
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const read = async (path: string) => {
      const answer = await fetch(`${apiUrl}${path}`, { headers: { "x-api-key": apiKeys[0]?.key ?? "" } });
      expect(answer.status).to.equal(200);
      return ((await answer.json()) as { requests: Record<string, unknown>[] }).requests;
    };
    for (const query of [
      `v3?user=${user.address}`,
      `v3?term=${user.address}`,
      `v3?depositTxHash=${signature}`,
      `v2?user=${user.address}`,
      `v2?hash=${signature}`,
      `v3?term=${signature}`,
      `v3?currencyInAddress=${svmUsdc.address}&id=${idOf(quote)}`,
    ]) {
      const [record] = await read(`/requests/${query}`);
      expect(record, query).to.include({ id: idOf(quote), user: user.address });
    }
    const shown = JSON.stringify(await read(`/requests/v3?id=${idOf(quote)}`));
    expect(shown).to.contain(signature);
    const { currencyIn } = quote.details;
    expect(currencyIn.currency.address).to.equal(svmUsdc.address);
  });
});

describe("records of payments on the SVM chain", () => {
  const fixture = useEmulator({ svm: true });

  const readers = recordReaders(fixture);
  const recordOf = readers.recordV2Of;
  const changesOf = (stateChanges: unknown) =>
    (
      stateChanges as { address: string; change: { balanceDiff: string; data: { tokenAddress: string } } }[]
    ).map(({ address, change }) => [address, change.data.tokenAddress, change.balanceDiff]);
  const filledOn = async (destinationCurrency: string, recipient: string) => {
    const quote = await getQuote(fixture.client, {
      amount: "50000000000000000",
      destinationChainId: 792703809,
      destinationCurrency,
      originChainId: fixture.alpha.info.id,
      originCurrency: "0x0000000000000000000000000000000000000000",
      recipient,
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
    });
    await pay(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
    return quote;
  };

  for (const [what, currency] of [
    ["lamports", svmNativeToken],
    ["tokens that the solver holds", svmUsdc.address],
  ] as const) {
    // @spec record-v2/out-txs record-v2/state-changes
    it(`a fill of ${what}: names solver, recipient and bytes, and what the solver lost is what the recipient got`, async () => {
      const recipient = await freshSvm();
      const { outTxs } = await recordOf(await filledOn(currency, recipient));
      const solver = (await svmAccounts()).solver.signer.address;
      const arrived = (await svmBalance(fixture, recipient, currency)).toString();
      expect(outTxs).to.have.length(1);
      expect(outTxs?.[0]?.data).to.include({ from: solver, to: recipient, value: "0" });
      expect(outTxs?.[0]?.data)
        .to.have.property("data")
        .that.matches(/^0x01[0-9a-f]{256,}$/);
      expect(changesOf(outTxs?.[0]?.stateChanges)).to.deep.equal([
        [solver, currency, `-${arrived}`],
        [recipient, currency, arrived],
      ]);
    });
  }

  // @spec amount/usd-current
  it("amounts of the SVM chain: are worth their present price, too", async () => {
    const quote = await filledOn(svmNativeToken, await freshSvm());
    await fixture.emulator.control.prices.set({ SOL: "300" });
    const { metadata } = await recordOf(quote);
    const { amount, amountUsd, amountUsdCurrent } = metadata?.currencyOut ?? {};
    const worth = (BigInt(amount ?? 0) * 300_000_000n) / 1_000_000_000n;
    expect(amountUsdCurrent).to.equal(
      `${worth / 1_000_000n}.${(worth % 1_000_000n).toString().padStart(6, "0")}`,
    );
    expect(amountUsd).to.not.equal(amountUsdCurrent);
    await fixture.emulator.control.prices.set({ SOL: "150" });
  });
});
