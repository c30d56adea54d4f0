import { expect } from "chai";
import { type BaseContract, ZeroAddress } from "ethers";
import { network } from "hardhat";
import {
  deployUniswapV2,
  makePool,
  type UniswapV2,
  uniswapArtifact,
} from "../../helpers/contracts/uniswapV2.ts";

const { ethers } = await network.create();

const AMOUNTS = [1n, 1_234_567n, 3n * 10n ** 19n];
const LIMITS = [0n, 1_000_000n, 10n ** 19n, 2n ** 100n];
const ROUTES = [[0, 1], [1, 0], [0, 1, 2], [2, 1, 0], [0]] as const;
const FUNCTIONS = [
  "getAmountsOut",
  "getAmountsIn",
  "swapExactTokensForTokens",
  "swapTokensForExactTokens",
  "swapExactTokensForETH",
  "swapTokensForExactETH",
  "swapExactETHForTokens",
  "swapETHForExactTokens",
];

type Venue = UniswapV2 & {
  readonly tokens: readonly BaseContract[];
  readonly pools: readonly BaseContract[];
};

/** A venue of the local code or the published one, both called by the published interface. */
async function openVenue(isPublished: boolean): Promise<Venue> {
  const [owner] = await ethers.getSigners();
  if (!owner) throw new Error("The local chain has no accounts.");
  const [a, b] = [
    await ethers.deployContract("LocalToken", ["A", "A", 18, owner.address]),
    await ethers.deployContract("LocalToken", ["B", "B", 18, owner.address]),
  ];
  const wrapped = await ethers.deployContract("LocalWrappedNative", ["Wrapped Ether", "WETH"]);
  const published = (name: string, contract: BaseContract) =>
    new ethers.Contract(contract.target, uniswapArtifact(`v2-${name}.json` as "v2-core/build/").abi, owner);
  const ownVenue = async () => {
    const factory = await ethers.deployContract("LocalSwapFactory");
    const router = await ethers.deployContract("LocalSwapRouter", [factory, wrapped]);
    return {
      factory: published("core/build/UniswapV2Factory", factory),
      router: published("periphery/build/UniswapV2Router02", router),
    };
  };
  const uniswap = isPublished ? await deployUniswapV2(ethers, wrapped) : await ownVenue();
  await wrapped.deposit({ value: 10n ** 21n });
  for (const token of [a, b]) await token.mint(owner, 10n ** 30n);
  for (const token of [a, b, wrapped]) await token.approve(uniswap.router, 2n ** 255n);
  const fund = (first: typeof a, second: typeof a | typeof wrapped) => async (pool: string) => {
    await first.transfer(pool, 4n * 10n ** 20n);
    await second.transfer(pool, 10n ** 20n + 7n);
  };
  const pools = [
    await makePool(ethers, uniswap, [a, b], fund(a, b)),
    await makePool(ethers, uniswap, [b, wrapped], fund(b, wrapped)),
  ];
  return { ...uniswap, pools, tokens: [a, b, wrapped] };
}

/** Balances of the caller and the pools. */
async function stateOf({ pools, tokens }: Venue): Promise<readonly bigint[]> {
  const [owner] = await ethers.getSigners();
  const state: bigint[] = [];
  for (const token of tokens)
    for (const holder of [owner, ...pools]) state.push(await token.getFunction("balanceOf")(holder));
  return state;
}

/** Calls the router, and returns the amounts or the reason of the revert. */
async function outcomeOf(
  { router, tokens }: Venue,
  name: string,
  amount: bigint,
  limit: bigint,
  route: readonly number[],
): Promise<string> {
  const [owner] = await ethers.getSigners();
  const path = route.map((index) => tokens[index]);
  const call = router.getFunction(name);
  const rest = [path, owner, 2n ** 40n];
  try {
    if (name.startsWith("getAmounts")) return String(await call(amount, path));
    if (name === "swapExactETHForTokens") await call(limit, ...rest, { value: amount });
    else if (name === "swapETHForExactTokens") await call(amount, ...rest, { value: limit % 10n ** 20n });
    else await call(amount, limit, ...rest);
    return "done";
  } catch (error) {
    // Tokens and checked arithmetic fail with their own reasons.
    return `reverted: ${/UniswapV2\w*: (?!TRANSFER)\w+/.exec((error as Error).message)?.[0] ?? ""}`;
  }
}

describe("the swap venue of the local chains", () => {
  let own: Venue;
  let published: Venue;
  before("open a venue of each kind", async () => {
    [own, published] = [await openVenue(false), await openVenue(true)];
  });

  for (const name of FUNCTIONS) {
    it(`${name} of any amount, limit and route: does what the published Uniswap v2 does`, async () => {
      for (const amount of AMOUNTS)
        for (const limit of LIMITS)
          for (const route of ROUTES) {
            const outcome = await outcomeOf(own, name, amount, limit, route);
            expect(outcome).to.equal(await outcomeOf(published, name, amount, limit, route));
            expect(await stateOf(own), outcome).to.deep.equal(await stateOf(published));
          }
    });
  }

  it("refuses pools of one token, of the zero address and made twice, as the published factory does", async () => {
    for (const { factory, tokens } of [own, published]) {
      const create = factory.getFunction("createPair");
      const [a, b] = tokens;
      await expect(create(a, a)).to.be.revertedWith("UniswapV2: IDENTICAL_ADDRESSES");
      await expect(create(a, ZeroAddress)).to.be.revertedWith("UniswapV2: ZERO_ADDRESS");
      await expect(create(b, a)).to.be.revertedWith("UniswapV2: PAIR_EXISTS");
    }
  });
});
