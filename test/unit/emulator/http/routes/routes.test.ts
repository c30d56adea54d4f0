import { expect } from "chai";
import { Hono } from "hono";
import { concatHex, encodeAbiParameters, keccak256, stringToHex, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Deps, mountRoutes } from "../../../../../emulator/http/route/Route.ts";
import { chainsRoutes } from "../../../../../emulator/http/routes/catalogue/chains.ts";
import {
  hashNonceMapping,
  isSignedByWallet,
  type NonceMappingStatement,
} from "../../../../../emulator/http/routes/quotes/authorize.ts";
import { statusRoutes } from "../../../../../emulator/http/routes/requests/status.ts";
import { chainsResponseSchema } from "../../../../../src/schema/chain/chain.ts";
import { testContext } from "../../support/context.ts";
import { alpha, contracts, fakeChains, usdc, usdt } from "../../support/fakeChains.ts";
import { accounts } from "../../support/liveChain.ts";
import { addRequest, emptyStore, requestId } from "../../support/requests.ts";

/** The answer of `GET /chains`. */
async function answered() {
  const named = { ...alpha, definition: { ...alpha.definition, displayName: "Alpha chain" } };
  const chains = new Map([...fakeChains, [31337, named]]);
  const context = testContext({ chains, store: undefined as never });
  const answer = await mountRoutes(new Hono(), chainsRoutes({ context } as Deps)).request("/chains");
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

const account = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");

/** Published with the typed data, version 2. */
const typehash = "0x6b0ad364bd028601374c93fa49e68dd283efb61f94bc8e4b0c7a633257c3ee30";

const statement: NonceMappingStatement & { depositor: `0x${string}` } = {
  depositor: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  id: `0x${"0d".repeat(32)}`,
  nonce: 1_700_000_000_000,
  signatureChainId: 31_337,
  wallet: account.address,
};

const text = (value: string) => keccak256(stringToHex(value));

const words = ["bytes32", "bytes32", "address", "address", "bytes32", "uint256"].map((type) => ({ type }));

describe("nonce mapping of authorize", () => {
  // @spec perps/mapping-domain perps/mapping-type
  it("hashes with the published typehash and the chain of the signature", () => {
    const domain = keccak256(
      encodeAbiParameters(
        ["bytes32", "bytes32", "bytes32", "uint256", "address"].map((type) => ({ type })),
        [
          text("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
          text("RelayNonceMapping"),
          text("2"),
          31_337n,
          zeroAddress,
        ],
      ),
    );
    const { depositor, id, nonce, wallet } = statement;
    const values = [typehash, text("hyperliquid"), wallet, depositor, id, BigInt(nonce)];
    const struct = keccak256(encodeAbiParameters(words, values));
    expect(hashNonceMapping(statement)).to.equal(keccak256(concatHex(["0x1901", domain, struct])));
  });

  it("a statement without a depositor: is of version 1", async () => {
    const { depositor: _, ...first } = statement;
    const signature = await account.signTypedData({
      domain: { chainId: 31_337, name: "RelayNonceMapping", verifyingContract: zeroAddress, version: "1" },
      message: { chainId: "hyperliquid", id: first.id, nonce: BigInt(first.nonce), wallet: first.wallet },
      primaryType: "NonceMapping",
      types: {
        NonceMapping: [
          { name: "chainId", type: "string" },
          { name: "wallet", type: "address" },
          { name: "id", type: "bytes32" },
          { name: "nonce", type: "uint256" },
        ],
      },
    });
    expect(await isSignedByWallet(first, signature)).to.equal(true);
    expect(await isSignedByWallet(statement, signature)).to.equal(false);
  });
});

describe("statuses of requests", () => {
  for (const [status, second, legacy] of [
    ["waiting", "waiting", "received"],
    ["depositing", "depositing", "received"],
    ["pending", "pending", "pending"],
    ["submitted", "pending", "pending"],
    ["success", "success", "success"],
    ["failure", "failure", "failure"],
    ["refund", "refund", "fallback"],
  ] as const) {
    // @spec status/fields status-request/legacy state/all
    it(`${status}: is ${second} in version 2 and ${legacy} in the legacy form, with the chains`, async () => {
      const store = await emptyStore();
      await addRequest(store, { status });
      const app = mountRoutes(new Hono(), statusRoutes({ context: testContext({ store }) } as Deps));
      const shown = [];
      for (const version of ["/v3", "/v2", ""]) {
        const answer = await app.request(`/intents/status${version}?requestId=${requestId}`);
        const body = (await answer.json()) as Record<string, unknown>;
        expect(body).to.include({ destinationChainId: 31338, originChainId: 31337 });
        expect(body).to.deep.include({ inTxHashes: [], txHashes: [] });
        shown.push(body.status);
      }
      expect(shown).to.deep.equal([status, second, legacy]);
    });
  }
});
