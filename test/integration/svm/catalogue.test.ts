import { expect } from "chai";
import { svmInventory, svmTokens } from "../../../emulator/chains/svm/svmCurrencies.ts";
import { getChains, getCurrencies } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { sol, svmAccounts } from "../../helpers/svm.ts";

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
