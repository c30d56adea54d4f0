import { expect } from "chai";
import { type BaseContract, type Contract, type InterfaceAbi, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { uniswapArtifact } from "../../helpers/contracts/uniswapV2.ts";
import { drawsOf } from "../../helpers/seededDraws.ts";

const { ethers } = await network.create();

const LATE = 2n ** 40n;
const ops = 240;
const routerAbi = uniswapArtifact("v2-periphery/build/UniswapV2Router02.json").abi;
const factoryAbi = uniswapArtifact("v2-core/build/UniswapV2Factory.json").abi;
const pairAbi = uniswapArtifact("v2-core/build/UniswapV2Pair.json").abi;

type Venue = {
  readonly factory: Contract;
  readonly router: Contract;
  /** Two tokens and the wrapped native currency. */
  readonly tokens: readonly [BaseContract, BaseContract, BaseContract];
  readonly pairs: readonly Contract[];
};

/** A venue by its own code or the published one, always called by the published interface. */
async function openVenue(isPublished: boolean): Promise<Venue> {
  const [owner] = await ethers.getSigners();
  if (!owner) throw new Error("The local chain has no accounts.");
  const make = (name: string, ...args: unknown[]) => ethers.deployContract(name, args);
  const publish = async (path: Parameters<typeof uniswapArtifact>[0], ...args: unknown[]) => {
    const { abi, bytecode } = uniswapArtifact(path);
    return new ethers.ContractFactory(abi, bytecode, owner).deploy(...args);
  };
  const tokens: BaseContract[] = [];
  for (const symbol of ["A", "B"]) tokens.push(await make("LocalToken", symbol, symbol, 18, owner.address));
  const wrapped = await make("LocalWrappedNative", "Wrapped Ether", "WETH");
  const factory = isPublished
    ? await publish("v2-core/build/UniswapV2Factory.json", owner.address)
    : await make("LocalSwapFactory");
  const router = isPublished
    ? await publish("v2-periphery/build/UniswapV2Router02.json", factory, wrapped)
    : await make("LocalSwapRouter", factory, wrapped);
  const at = async (contract: BaseContract, abi: InterfaceAbi) =>
    new ethers.Contract(await contract.getAddress(), abi, owner);
  const [a, b] = tokens;
  if (!a || !b) throw new Error("there are no tokens");
  const venue = { factory: await at(factory, factoryAbi), router: await at(router, routerAbi) };
  await wrapped.getFunction("deposit")({ value: 10n ** 21n });
  for (const token of [a, b]) await token.getFunction("mint")(owner.address, 10n ** 30n);
  for (const token of [a, b, wrapped]) await token.getFunction("approve")(router, 2n ** 255n);
  const pairs: Contract[] = [];
  for (const [first, second] of [
    [a, b],
    [b, wrapped],
  ] as const) {
    await venue.factory.getFunction("createPair")(first, second);
    const pair = new ethers.Contract(
      await venue.factory.getFunction("getPair")(second, first),
      pairAbi,
      owner,
    );
    await first.getFunction("transfer")(pair, 4n * 10n ** 20n);
    await second.getFunction("transfer")(pair, 10n ** 20n + 7n);
    await pair.getFunction("mint")(owner.address);
    pairs.push(pair);
  }
  return { ...venue, pairs, tokens: [a, b, wrapped] };
}

/** Everything that a caller could compare: reserves by token, shares, and the caller's balances. */
async function stateOf({ pairs, tokens }: Venue): Promise<readonly bigint[]> {
  const [owner] = await ethers.getSigners();
  const state: bigint[] = [];
  for (const token of tokens) {
    state.push(await token.getFunction("balanceOf")(owner));
    for (const pair of pairs) state.push(await token.getFunction("balanceOf")(pair));
  }
  for (const pair of pairs) {
    const { reserve0, reserve1 }: { reserve0: bigint; reserve1: bigint } =
      await pair.getFunction("getReserves")();
    state.push(reserve0 * reserve1, await pair.getFunction("totalSupply")());
  }
  return state;
}

/** A call of a venue: what it returns, or the reason of its revert. */
type Op = (venue: Venue) => Promise<unknown>;

async function outcomeOf(op: Op, venue: Venue): Promise<string> {
  try {
    return String((await op(venue)) ?? "done");
  } catch (error) {
    // Tokens and checked arithmetic fail in words of their own.
    return `reverted: ${/UniswapV2\w*: (?!TRANSFER)\w+/.exec((error as Error).message)?.[0] ?? ""}`;
  }
}

/** Swaps of every kind with limits around what is possible, and what anyone may do to a pool. */
function drawOp({ pick, whole }: ReturnType<typeof drawsOf>): Op {
  const amount = BigInt(whole(0, 2_000_000_000)) * 10n ** BigInt(whole(0, 11)) + BigInt(whole(0, 9));
  const limit = pick([0n, amount / 5n, amount, amount * 9n, 2n ** 200n]);
  const deadline = pick([LATE, LATE, LATE, 1n]);
  const route = pick([[0, 1], [1, 0], [0, 1, 2], [2, 1, 0], [1, 2], [0, 2], [0]]);
  const kind = pick([
    ...[
      "swapExactTokensForTokens",
      "swapTokensForExactTokens",
      "swapExactTokensForETH",
      "swapTokensForExactETH",
    ],
    ...["swapExactETHForTokens", "swapETHForExactTokens", "getAmountsOut", "getAmountsIn"],
    ...["mint", "burn", "sync", "skim", "swap"],
  ]);
  const part = pick([0, 1]);
  // A third of the amount buys a twelfth of it.
  const taken = amount / pick([2n, 20n]);
  return async ({ pairs, router, tokens }) => {
    const [owner] = await ethers.getSigners();
    const path = await Promise.all(route.map((index) => tokens[index]?.getAddress()));
    const pair = pairs[part];
    if (!owner || !pair) throw new Error("there is no such pool");
    const call = router.getFunction(kind.startsWith("swap") && kind !== "swap" ? kind : "getAmountsOut");
    if (/ForETH|ForExactETH/.test(kind)) await call(amount, limit, path, owner.address, deadline);
    else if (kind === "swapExactETHForTokens")
      await call(limit, path, owner.address, deadline, { value: amount % 10n ** 18n });
    else if (kind === "swapETHForExactTokens")
      await call(amount, path, owner.address, deadline, { value: limit % 10n ** 18n });
    else if (/^swap\w+Tokens$/.test(kind)) await call(amount, limit, path, owner.address, deadline);
    else if (kind.startsWith("getAmounts")) return router.getFunction(kind)(amount, path);
    else if (kind === "swap") {
      const isFirst = (await pair.getFunction("token0")()) === (await tokens[part]?.getAddress());
      await tokens[part]?.getFunction("transfer")(pair, amount / 3n);
      // From one token to the other by name, because the order of addresses differs between the venues.
      await pair.getFunction("swap")(isFirst ? 0n : taken, isFirst ? taken : 0n, owner.address, "0x");
    } else if (kind === "mint") {
      for (const index of [part, part + 1]) await tokens[index]?.getFunction("transfer")(pair, amount);
      await pair.getFunction("mint")(owner.address);
    } else if (kind === "burn") {
      await pair.getFunction("transfer")(pair, amount % 10n ** 17n);
      await pair.getFunction("burn")(owner.address);
    } else if (kind === "skim") await pair.getFunction("skim")(owner.address);
    else await pair.getFunction("sync")();
    return undefined;
  };
}

describe("the swap venue of the local chains", () => {
  it(`gives, takes and refuses in ${ops} drawn operations what the published Uniswap v2 does`, async () => {
    const [own, published] = [await openVenue(false), await openVenue(true)];
    expect(await stateOf(own)).to.deep.equal(await stateOf(published));
    const draws = drawsOf("venue");
    const seen = new Set<string>();
    for (let index = 0; index < ops; index++) {
      const op = drawOp(draws);
      const outcome = await outcomeOf(op, own);
      expect(outcome, `operation ${index}`).to.equal(await outcomeOf(op, published));
      expect(await stateOf(own), `operation ${index}: ${outcome}`).to.deep.equal(await stateOf(published));
      seen.add(outcome.replace(/^[\d,]+$/, "amounts"));
    }
    // The draws reach both ends of every rule.
    for (const each of [
      "amounts",
      "done",
      "EXPIRED",
      "K",
      "INSUFFICIENT_OUTPUT_AMOUNT",
      "EXCESSIVE_INPUT_AMOUNT",
    ])
      expect([...seen].join("\n")).to.match(new RegExp(`${each}$`, "m"));
  }).timeout(120_000);

  it("a pool of one token, of the zero address or made twice: reverts as at the published factory", async () => {
    for (const isPublished of [false, true]) {
      const { factory, tokens } = await openVenue(isPublished);
      const create = factory.getFunction("createPair");
      const [a, b] = tokens;
      await expect(create(a, a)).to.be.revertedWith("UniswapV2: IDENTICAL_ADDRESSES");
      await expect(create(a, ZeroAddress)).to.be.revertedWith("UniswapV2: ZERO_ADDRESS");
      await expect(create(b, a)).to.be.revertedWith("UniswapV2: PAIR_EXISTS");
      expect(await factory.getFunction("allPairsLength")()).to.equal(2n);
    }
  });

  it("a pool whose tokens an account names: reverts, because its factory alone may", async () => {
    const { pairs, tokens } = await openVenue(false);
    const attempt = pairs[0]?.getFunction("initialize")(tokens[1], tokens[0]);
    await expect(attempt).to.be.revertedWith("UniswapV2: FORBIDDEN");
  });
});
