import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { Addressable, BaseContract } from "ethers";
import type { MintableNft, TradingPost } from "../../../../typechain-types/index.ts";
import { deployProxyStage, type ProxyStage } from "../../../helpers/contracts/proxyStage.ts";
import type { TestToken } from "../../../helpers/contracts/tokens.ts";

/** Expected amounts of the token, unless a token changes them in transit. */
export const AMOUNT = 1_000_003n;
/** Amount that the target pulls; the rest is swept. */
const TAKEN = 250_001n;
/** Wei that the target returns. */
export const CHANGE = 5n;
/** Wei that arrive when native currency buys the token, and the token's price. */
export const VALUE = 1_000n;
export const PRICE = 600n;

export type MatrixStage = ProxyStage & { readonly post: TradingPost; readonly nft: MintableNft };

export async function deployMatrixStage(ethers: HardhatEthers): Promise<MatrixStage> {
  const stage = await deployProxyStage(ethers);
  const post = await ethers.deployContract("TradingPost");
  await stage.stranger.sendTransaction({ to: post, value: 1_000n });
  return { ...stage, post, nft: await ethers.deployContract("MintableNft") };
}

/** The token's way to the executor. */
export type Supply = "pulled by the proxy" | "sent ahead" | "bought in the call";

/** Parties of one cell: honest unless the adversary replaces them. */
export interface Scene {
  readonly token: BaseContract | string;
  /** Recipient of the rest. */
  readonly recipient: Addressable;
  /** The target that spends the token, its calldata, and the live balance's offset. */
  readonly target: { readonly address: Addressable; readonly data: string; readonly offset: bigint };
  /** Amount that the target pulls, and the wei it returns. */
  readonly taken: bigint;
  readonly change: bigint;
  /** Balance at the call of the target, by the token's way to the executor. */
  readonly arrived: (supply: Supply) => bigint;
  /** Maps an executor balance to its value after the target's call. */
  readonly revalued: (amount: bigint) => bigint;
  /** Maps a sent amount to the amount that a payee receives. */
  readonly net: (amount: bigint) => bigint;
}

/** A scene without an adversary. */
export async function peacefulScene(
  { post, recipient }: MatrixStage,
  token: BaseContract | string,
): Promise<Scene> {
  const address = typeof token === "string" ? token : await token.getAddress();
  return {
    token,
    recipient,
    target: {
      address: post,
      data: post.interface.encodeFunctionData("take", [0n, address, TAKEN, CHANGE]),
      offset: 4n,
    },
    taken: TAKEN,
    change: CHANGE,
    arrived: () => AMOUNT,
    revalued: (amount) => amount,
    net: (amount) => amount,
  };
}

/** The expected figures after a call. */
export function expectedOf(scene: Scene, supply: Supply) {
  const arrived = scene.arrived(supply);
  const swept = scene.revalued(arrived - scene.taken);
  return {
    arrived,
    token: { recipient: scene.net(swept), target: scene.net(scene.taken) },
    native: { recipient: scene.change + (supply === "bought in the call" ? VALUE - PRICE : 0n) },
  };
}

/** Balances of each party, in the token and in wei. */
export async function balancesOf(stage: MatrixStage, scene: Scene) {
  const target = scene.target.address;
  const parties = {
    ...pick(stage, ["proxy", "executor", "caller", "stranger", "post"]),
    recipient: scene.recipient,
    target,
  };
  const balances: Record<string, { token: bigint; native: bigint }> = {};
  for (const [name, party] of Object.entries(parties)) {
    const token = typeof scene.token === "string" ? 0n : await (scene.token as TestToken).balanceOf(party);
    // The caller pays for gas, which is not compared here.
    const native = name === "caller" ? 0n : await stage.ethers.provider.getBalance(party);
    balances[name] = { token, native };
  }
  return balances;
}

function pick<T, const K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}
