import { expect } from "chai";
import { getChains } from "../../../src/client/index.ts";
import { fakeService, json } from "./support/fakeService.ts";
import { native, token } from "./support/samples.ts";

describe("getChains", () => {
  it("reads chains with their contracts", async () => {
    const chain = {
      contracts: { erc20Router: token, v3: { approvalProxy: token, erc20Router: token } },
      currency: {
        address: native,
        decimals: 18,
        id: "eth",
        name: "Ether",
        supportsBridging: true,
        symbol: "ETH",
      },
      displayName: "Local A",
      iconUrl: null,
      id: 31337,
      name: "local-a",
      protocol: { v2: { chainId: "local-a", depository: token } },
      vmType: "evm",
    };
    const { calls, client } = fakeService([json({ chains: [chain] })]);
    expect(await getChains(client)).to.deep.equal({ chains: [chain] });
    expect(calls[0]).to.include({ method: "GET", url: "http://service.test/chains" });
    expect(calls[0]?.headers.has("content-type")).to.equal(false);
  });

  it("lets a virtual machine that is not documented pass", async () => {
    const chain = {
      currency: { address: "x", decimals: 0, name: "X", symbol: "X" },
      displayName: "X",
      id: 9,
      name: "x",
      vmType: "quantum",
    };
    const { client } = fakeService([json({ chains: [chain] })]);
    expect((await getChains(client)).chains[0]?.vmType).to.equal("quantum");
  });
});
