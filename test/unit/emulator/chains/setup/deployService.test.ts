import { expect } from "chai";
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  parseAbi,
  parseEther,
  parseUnits,
  toHex,
  zeroAddress,
} from "viem";
import { deriveAccounts } from "../../../../../emulator/chains/accounts.ts";
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import { startChain } from "../../../../../emulator/chains/local/startChain.ts";
import { deployService } from "../../../../../emulator/chains/setup/findService.ts";
import { permit2Address } from "../../../../../emulator/chains/setup/placePermit2.ts";
import { uniswapFactoryAbi, uniswapPairAbi } from "../../../../../emulator/chains/setup/uniswap.ts";

const routerAbi = parseAbi([
  "function factory() view returns (address)",
  "function WETH() view returns (address)",
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[])",
]);
const forever = 2n ** 64n;

/** An address as code and storage end with it: without the zeros in front, in lower case. */
function bytesOf(address: Address): string {
  return address
    .slice(2)
    .replace(/^(?:00)+/, "")
    .toLowerCase();
}

describe("the service on a new chain", () => {
  const accounts = deriveAccounts();
  let chain: Chain;
  before("starting a chain", async function () {
    this.timeout(60_000);
    const definition = { displayName: "Gamma", id: 31_398, name: "gamma" };
    chain = await deployService(await startChain(definition, "127.0.0.1", 0), accounts);
  });
  after(() => chain?.close());

  const token = (symbol: string): Address => {
    const found = chain.currencies.find((currency) => currency.symbol === symbol);
    if (found === undefined) throw new Error(`no ${symbol}`);
    return found.address;
  };
  const held = (symbol: string, account: Address) =>
    chain.client.readContract({
      abi: erc20Abi,
      address: token(symbol),
      args: [account],
      functionName: "balanceOf",
    });
  const amountsOut = (amountIn: bigint, path: readonly Address[]) =>
    chain.client.readContract({
      abi: routerAbi,
      address: chain.swap.router,
      args: [amountIn, path],
      functionName: "getAmountsOut",
    });

  it("has code at every address that it names", async () => {
    const { v3, ...contracts } = chain.contracts;
    const { factory, pairs, router } = chain.swap;
    const tokens = chain.currencies.map(({ address }) => address).filter((each) => each !== zeroAddress);
    const all = [
      ...Object.values(contracts),
      ...Object.values(v3),
      factory,
      router,
      ...pairs.map(({ address }) => address),
      ...tokens,
    ];
    expect(new Set(all).size).to.equal(all.length - 1);
    for (const address of all) expect(await chain.client.getCode({ address }), address).to.match(/^0x..../);
  });

  it("takes few blocks, and mines each transaction by itself afterwards", async () => {
    const { number } = chain.head();
    expect(Number(number)).to.be.at.most(8);
    expect(chain.firstBlock).to.equal(number + 1n);
    await chain.rpc("eth_sendTransaction", [{ from: accounts.users[0]?.account.address, to: zeroAddress }]);
    expect(await chain.client.getBlockNumber()).to.equal(number + 1n);
  });

  it("funds users and solver, and leaves no tokens with the aggregator, where any account could take them", async () => {
    for (const { account } of accounts.users) {
      expect(await held("USDC", account.address)).to.equal(parseUnits("100000", 6));
      expect(await held("USDT", account.address)).to.equal(parseUnits("100000", 6));
      expect(await held("WETH", account.address)).to.equal(parseEther("100"));
    }
    const solver = accounts.solver.account.address;
    expect(await held("WETH", solver)).to.equal(parseEther("1000000"));
    for (const symbol of ["USDC", "USDT", "WETH"]) {
      expect(await held(symbol, chain.contracts.multicall3)).to.equal(0n);
      const allowance = await chain.client.readContract({
        abi: erc20Abi,
        address: token(symbol),
        args: [solver, chain.contracts.v3.approvalProxy],
        functionName: "allowance",
      });
      expect(allowance > 2n ** 255n).to.equal(true);
    }
    expect(await chain.client.getBalance({ address: chain.contracts.multicall3 })).to.equal(0n);
  });

  describe("Permit2", () => {
    it("is at its address, and signs for this chain and that address", async () => {
      const separator = await chain.client.readContract({
        abi: parseAbi(["function DOMAIN_SEPARATOR() view returns (bytes32)"]),
        address: permit2Address,
        functionName: "DOMAIN_SEPARATOR",
      });
      const expected = encodeAbiParameters(
        [{ type: "bytes32" }, { type: "bytes32" }, { type: "uint256" }, { type: "address" }],
        [
          keccak256(toHex("EIP712Domain(string name,uint256 chainId,address verifyingContract)")),
          keccak256(toHex("Permit2")),
          BigInt(chain.definition.id),
          permit2Address,
        ],
      );
      expect(separator).to.equal(keccak256(expected));
    });

    it("is the one that the approval proxies pull with", async () => {
      const { approvalProxy, v3 } = chain.contracts;
      // The older one keeps it in storage, the newer one in its code.
      const slots = await Promise.all(
        [0, 1, 2].map((slot) => chain.client.getStorageAt({ address: approvalProxy, slot: toHex(slot) })),
      );
      expect(slots.some((value) => value?.endsWith(bytesOf(permit2Address)))).to.equal(true);
      const code = await chain.client.getCode({ address: v3.approvalProxy });
      expect(code).to.include(bytesOf(permit2Address));
    });
  });

  describe("Uniswap v2", () => {
    it("has a router with the factory and the wrapped native currency of the chain", async () => {
      const { factory, router, wrappedNative } = chain.swap;
      const read = { abi: routerAbi, address: router };
      expect(await chain.client.readContract({ ...read, functionName: "factory" })).to.equal(factory);
      expect(await chain.client.readContract({ ...read, functionName: "WETH" })).to.equal(wrappedNative);
      expect(wrappedNative).to.equal(token("WETH"));
    });

    it("has a pool for every two tokens, where the factory says it is", async () => {
      const { factory, pairs } = chain.swap;
      expect(pairs).to.have.length(3);
      for (const { address, tokens } of pairs) {
        const known = await chain.client.readContract({
          abi: uniswapFactoryAbi,
          address: factory,
          args: tokens,
          functionName: "getPair",
        });
        expect(known).to.equal(address);
        const [reserve0, reserve1] = await chain.client.readContract({
          abi: uniswapPairAbi,
          address,
          functionName: "getReserves",
        });
        expect(reserve0 > 0n && reserve1 > 0n).to.equal(true);
      }
    });

    it("exchanges at the price table's rates, less its fee of 0.3 %", async () => {
      const [, dollars = 0n] = await amountsOut(parseEther("1"), [token("WETH"), token("USDC")]);
      // 2500 less 0.3 %, and next to no impact: the pool is that deep.
      expect(Number(dollars) / 1e6).to.be.within(2492.49, 2492.5);
      const [, tether = 0n] = await amountsOut(parseUnits("1000", 6), [token("USDC"), token("USDT")]);
      expect(Number(tether) / 1e6).to.be.within(996.99, 997);
      const [, ether = 0n] = await amountsOut(parseUnits("2500", 6), [token("USDT"), token("WETH")]);
      expect(Number(ether) / 1e18).to.be.within(0.99699, 0.997);
    });

    it("swaps native currency for USDT, which returns nothing", async () => {
      const [user] = accounts.users;
      if (user === undefined) throw new Error("no user");
      const path = [token("WETH"), token("USDT")];
      const [, expected = 0n] = await amountsOut(parseEther("2"), path);
      const before = await held("USDT", user.account.address);
      const { request } = await chain.client.simulateContract({
        abi: routerAbi,
        account: user.account.address,
        address: chain.swap.router,
        args: [expected, path, user.account.address, forever],
        functionName: "swapExactETHForTokens",
        value: parseEther("2"),
      });
      await chain.rpc("eth_sendTransaction", [
        {
          data: encodeFunctionData(request),
          from: user.account.address,
          to: chain.swap.router,
          value: toHex(parseEther("2")),
        },
      ]);
      expect((await held("USDT", user.account.address)) - before).to.equal(expected);
    });
  });
});
