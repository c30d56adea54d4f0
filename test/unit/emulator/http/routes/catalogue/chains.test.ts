import { expect } from "chai";
import { Hono } from "hono";
import { zeroAddress } from "viem";
import type { Deps } from "../../../../../../emulator/http/route/Route.ts";
import { chainsRoutes } from "../../../../../../emulator/http/routes/catalogue/chains.ts";
import { chainsResponseSchema } from "../../../../../../src/schema/chain/chain.ts";
import { testContext } from "../../../support/context.ts";
import { alpha, contracts, fakeChains, usdc, usdt } from "../../../support/fakeChains.ts";
import { accounts } from "../../../support/liveChain.ts";

/** The answer of `GET /chains`. */
async function answered() {
  const named = { ...alpha, definition: { ...alpha.definition, displayName: "Alpha chain" } };
  const chains = new Map([...fakeChains, [31337, named]]);
  const context = testContext({ chains, store: undefined as never });
  const [route] = chainsRoutes({ context } as Deps);
  if (route === undefined) throw new Error("there is no route");
  const answer = await new Hono().get(route.path, route.respond).request(route.path);
  return chainsResponseSchema.parse(await answer.json()).chains;
}

describe("GET /chains", () => {
  // @spec chain/list chain/id chain/names chain/urls chain/deposit-enabled chain/token-support
  // @spec chain/vm-type chain/base-chain-id chain/tags
  it("names each chain, its addresses on the web, its virtual machine and its tags", async () => {
    const chains = await answered();
    expect(chains.map(({ displayName, id, name }) => [id, name, displayName])).to.deep.equal([
      [31337, "alpha", "Alpha chain"],
      [31338, "beta", "beta"],
    ]);
    expect(chains[0]).to.deep.include({
      baseChainId: 31337,
      depositEnabled: true,
      explorerName: "Alpha chain",
      explorerUrl: "/explorer/31337",
      httpRpcUrl: alpha.rpcUrl,
      iconUrl: "/images/chains/31337",
      tags: [],
      tokenSupport: "Limited",
      vmType: "evm",
      wsRpcUrl: alpha.wsRpcUrl,
    });
  });

  // @spec chain/currency chain/fees chain/erc20-currencies chain/featured-tokens chain/solver-currencies
  it("describes native currency, tokens and the solver's currencies, with fees and pictures", async () => {
    const [chain] = await answered();
    const dollar = { address: usdc.address, decimals: 6, id: "usdc", name: "USD Coin", symbol: "USDC" };
    const ether = { address: zeroAddress, decimals: 18, id: "eth", name: "Ether", symbol: "ETH" };
    expect(chain?.currency).to.deep.equal({ ...ether, supportsBridging: true });
    expect(chain?.solverCurrencies).to.deep.equal([ether, dollar]);
    const token = { ...dollar, supportsBridging: true };
    const noFees = { depositFee: 0, surgeEnabled: false, withdrawalFee: 0 };
    expect(chain).to.deep.include(noFees);
    // The solver holds one token.
    const tether = { address: usdt.address, decimals: 6, id: "usdt", name: "Tether USD", symbol: "USDT" };
    const other = { ...tether, supportsBridging: false };
    expect(chain?.erc20Currencies).to.deep.equal([
      { ...token, ...noFees },
      { ...other, ...noFees },
    ]);
    const logo = (id: string) => ({ metadata: { logoURI: `/images/currencies/${id}` } });
    expect(chain?.featuredTokens).to.deep.equal([
      { ...token, ...logo("usdc") },
      { ...other, ...logo("usdt") },
    ]);
  });

  // @spec chain/contracts chain/multicallers chain/protocol chain/solver-addresses
  it("names the service's contracts, the solver, and the protocol's id of the chain", async () => {
    const [chain] = await answered();
    const { depository, outputGuard: _, permit2: __, uniswapV2Router: ___, ...named } = contracts;
    expect(chain?.contracts).to.deep.equal(named);
    expect(chain?.protocol).to.deep.equal({ v2: { chainId: "alpha", depository } });
    expect(chain?.solverAddresses).to.deep.equal([accounts.solver.account.address.toLowerCase()]);
  });
});
