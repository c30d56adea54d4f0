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
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import { permit2Address } from "../../../../../emulator/chains/setup/placePermit2.ts";
import { uniswapFactoryAbi, uniswapPairAbi } from "../../../../../emulator/chains/setup/uniswap.ts";
import { accounts, type LiveChain, payer, solver, startLiveChain } from "../../support/liveChain.ts";

const routerAbi = parseAbi([
  "function factory() view returns (address)",
  "function WETH() view returns (address)",
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[])",
]);
const noDeadline = 2n ** 64n;

/** An address in lower case without leading zeros, as storage and code end with it. */
const bytesOf = (address: Address) => address.replace(/^0x(?:00)+|^0x/, "").toLowerCase();

describe("deployService", () => {
  let live: LiveChain;
  let chain: Chain;
  before("starting a chain", async function () {
    this.timeout(60_000);
    live = await startLiveChain(31_398, "gamma");
    ({ chain } = live);
  });
  after(() => chain?.close());

  const token = (symbol: string) => live.token(symbol);
  async function amountOut(amountIn: bigint, ...symbols: readonly string[]): Promise<bigint> {
    const [, out = 0n] = await chain.client.readContract({
      abi: routerAbi,
      address: chain.swap.router,
      args: [amountIn, symbols.map(token)],
      functionName: "getAmountsOut",
    });
    return out;
  }

  it("every address that it returns: has code, and is named once but for the wrapped native currency", async () => {
    const { v3, ...contracts } = chain.contracts;
    const { factory, pairs, router } = chain.swap;
    const tokens = chain.currencies.map(({ address }) => address).filter((each) => each !== zeroAddress);
    const pools = pairs.map(({ address }) => address);
    const all = [...Object.values(contracts), ...Object.values(v3), factory, router, ...pools, ...tokens];
    expect(new Set(all).size).to.equal(all.length - 1);
    for (const address of all) expect(await chain.client.getCode({ address }), address).to.match(/^0x..../);
  });

  it("takes at most eight blocks, after which each transaction is mined in a block of its own", async () => {
    const { number } = chain.head();
    expect(Number(number)).to.be.at.most(8);
    expect(chain.firstBlock).to.equal(number + 1n);
    await live.send({ to: zeroAddress });
    expect(await chain.client.getBlockNumber()).to.equal(number + 1n);
  });

  it("funds users and solver, and leaves no tokens with the aggregator, where any account could take them", async () => {
    for (const { account } of accounts.users) {
      expect(await live.heldBy(account.address, "USDC")).to.equal(parseUnits("100000", 6));
      expect(await live.heldBy(account.address, "USDT")).to.equal(parseUnits("100000", 6));
      expect(await live.heldBy(account.address, "WETH")).to.equal(parseEther("100"));
    }
    expect(await live.heldBy(solver, "WETH")).to.equal(parseEther("1000000"));
    for (const symbol of ["USDC", "USDT", "WETH"]) {
      expect(await live.heldBy(chain.contracts.multicall3, symbol)).to.equal(0n);
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
    it("is at its production address, and its domain is of this chain and that address", async () => {
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

    it("is stored in the older approval proxy, and is in the code of the newer one", async () => {
      const { approvalProxy, v3 } = chain.contracts;
      const slots = await Promise.all(
        [0, 1, 2].map((slot) => chain.client.getStorageAt({ address: approvalProxy, slot: toHex(slot) })),
      );
      expect(slots.some((value) => value?.endsWith(bytesOf(permit2Address)))).to.equal(true);
      const code = await chain.client.getCode({ address: v3.approvalProxy });
      expect(code).to.include(bytesOf(permit2Address));
    });
  });

  describe("Uniswap v2", () => {
    it("the router: names the factory and the wrapped native currency of the chain", async () => {
      const { factory, router, wrappedNative } = chain.swap;
      const read = { abi: routerAbi, address: router };
      expect(await chain.client.readContract({ ...read, functionName: "factory" })).to.equal(factory);
      expect(await chain.client.readContract({ ...read, functionName: "WETH" })).to.equal(wrappedNative);
      expect(wrappedNative).to.equal(token("WETH"));
    });

    it("each of the three pairs: is the factory's, and holds both tokens", async () => {
      const { factory, pairs } = chain.swap;
      expect(pairs).to.have.length(3);
      for (const { address, tokens } of pairs) {
        const getPair = { abi: uniswapFactoryAbi, address: factory, args: tokens } as const;
        const known = await chain.client.readContract({ ...getPair, functionName: "getPair" });
        expect(known).to.equal(address);
        const pair = { abi: uniswapPairAbi, address };
        const [first, second] = await chain.client.readContract({ ...pair, functionName: "getReserves" });
        expect(first > 0n && second > 0n).to.equal(true);
      }
    });

    // Pools are so deep that the price impact is below a millionth.
    for (const [amountIn, from, to, decimals, least, most] of [
      [parseEther("1"), "WETH", "USDC", 6, 2492.49, 2492.5],
      [parseUnits("1000", 6), "USDC", "USDT", 6, 996.99, 997],
      [parseUnits("2500", 6), "USDT", "WETH", 18, 0.99699, 0.997],
    ] as const) {
      it(`${from} for ${to}: is exchanged at the price table's rate, less the fee of 0.3 %`, async () => {
        const out = await amountOut(amountIn, from, to);
        expect(Number(out) / 10 ** decimals).to.be.within(least, most);
      });
    }

    it("native currency for USDT, which returns nothing: is swapped at the quoted amount", async () => {
      const value = parseEther("2");
      const expected = await amountOut(value, "WETH", "USDT");
      const before = await live.heldBy(payer, "USDT");
      const data = encodeFunctionData({
        abi: routerAbi,
        args: [expected, [token("WETH"), token("USDT")], payer, noDeadline],
        functionName: "swapExactETHForTokens",
      });
      await live.send({ data, to: chain.swap.router, value });
      expect((await live.heldBy(payer, "USDT")) - before).to.equal(expected);
    });
  });
});
