import type { ContractTransactionResponse, Overrides } from "ethers";
import { asset, type Entry, entryOf, step } from "../../../helpers/contracts/proxyStage.ts";
import type { TestToken } from "../../../helpers/contracts/tokens.ts";
import {
  AMOUNT,
  expectedOf,
  type MatrixStage,
  PRICE,
  type Scene,
  type Supply,
  VALUE,
} from "./matrixScene.ts";

/** A path of money through the contracts. */
export interface Path {
  readonly entry: Entry;
  /** The called function; a test compares the list with the contracts' functions. */
  readonly function: "spend" | "execute" | "executeWithNftRecipient";
  readonly supply: Supply;
  /** Wei sent with the call, and wei sent ahead of it. */
  readonly value: bigint;
  readonly nativeAhead: bigint;
}

const path = (entry: Entry, name: Path["function"], supply: Supply, native: Partial<Path> = {}): Path => ({
  entry,
  function: name,
  supply,
  value: 0n,
  nativeAhead: 0n,
  ...native,
});

/** Paths by the names of the table's columns. */
export const PATHS: Readonly<Record<string, Path>> = {
  "proxy spend": path("proxy", "spend", "pulled by the proxy"),
  "proxy execute": path("proxy", "execute", "pulled by the proxy"),
  "proxy value": path("proxy", "execute", "bought in the call", { value: VALUE }),
  "proxy nft": path("proxy", "executeWithNftRecipient", "pulled by the proxy"),
  "executor spend": path("executor", "spend", "sent ahead"),
  "executor execute": path("executor", "execute", "sent ahead"),
  "executor value": path("executor", "execute", "bought in the call", { value: VALUE }),
  "executor ahead": path("executor", "execute", "bought in the call", { nativeAhead: VALUE }),
  "executor nft": path("executor", "executeWithNftRecipient", "sent ahead"),
};

/** The place of the step that spends the token. */
export function spendingIndex({ supply }: Path): bigint {
  return supply === "bought in the call" ? 1n : 0n;
}

/** Provides the money for the path. */
export async function bringMoney(stage: MatrixStage, { supply, nativeAhead }: Path, scene: Scene) {
  const { caller, executor, post, proxy } = stage;
  if (nativeAhead !== 0n) await caller.sendTransaction({ to: executor, value: nativeAhead });
  if (typeof scene.token === "string" || supply === "bought in the call") return;
  await post.give(scene.token, caller, AMOUNT);
  const token = (scene.token as TestToken).connect(caller);
  if (supply === "sent ahead") await token.getFunction("transfer")(executor, AMOUNT);
  else await token.approve(proxy, AMOUNT);
}

/** Makes the call. With `exact`, every minimum is the exact expected amount; otherwise there is none. */
export async function makeCall(
  stage: MatrixStage,
  way: Path,
  scene: Scene,
  tokenId: bigint,
  exact: boolean,
  overrides: Overrides = {},
): Promise<ContractTransactionResponse> {
  const expected = expectedOf(scene, way.supply);
  const entry = entryOf(stage, way.entry);
  const { target } = scene;
  if (way.function === "spend") {
    const minimum = exact ? expected.arrived : 0n;
    const { address, data, offset } = target;
    return entry.spend(scene.token, minimum, address, offset, data, scene.recipient, overrides);
  }
  const { assets, steps } = await plan(stage, way, scene, exact);
  if (way.function === "execute") {
    return entry.execute(assets, steps, { ...overrides, value: way.value });
  }
  const mint = stage.nft.interface.encodeFunctionData("mint", [await stage.executor.getAddress(), tokenId]);
  return entry.executeWithNftRecipient(
    { assets, steps: [...steps, step({ target: stage.nft, data: mint })], nftRecipient: stage.recipient },
    overrides,
  );
}

async function plan(stage: MatrixStage, way: Path, scene: Scene, exact: boolean) {
  const { post } = stage;
  const expected = expectedOf(scene, way.supply);
  const bought = way.supply === "bought in the call";
  const token = typeof scene.token === "string" ? scene.token : await scene.token.getAddress();
  const recipient = scene.recipient;
  const assets = [
    asset(stage, {
      recipient,
      ...(exact && {
        minimumReceived: bought ? VALUE : 0n,
        minimumOutput: expected.native.recipient,
      }),
    }),
    asset(stage, {
      token,
      recipient,
      ...(exact && {
        minimumReceived: bought ? 0n : expected.arrived,
        minimumOutput: expected.token.recipient,
      }),
    }),
  ];
  const buy = step({
    target: post,
    value: PRICE,
    data: post.interface.encodeFunctionData("sell", [token, AMOUNT]),
  });
  const spend = step({
    target: scene.target.address,
    approvedToken: token,
    data: scene.target.data,
    splices: [{ offset: scene.target.offset, token }],
  });
  return { assets, steps: bought ? [buy, spend] : [spend] };
}
