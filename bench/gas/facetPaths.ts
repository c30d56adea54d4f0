import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { getBytes, MaxUint256, Signature } from "ethers";
import {
  backend,
  bridgeOf,
  deployFacet,
  type FacetStage,
  facetOrder,
  facetSolver,
} from "../../test/helpers/contracts/facetStage.ts";
import { orderIdOf, orderStruct, signOrder } from "../../test/helpers/contracts/signedOrder.ts";
import { DEADLINE, NATIVE_AMOUNT, type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";

/** How an aggregator's facet trusts the id that it deposits for. */
type Pattern = (
  stage: FacetStage,
  amount: bigint,
  asset: string | undefined,
  run: number,
) => ReturnType<Sending>;

const value = (amount: bigint, asset: string | undefined) => ({ value: asset === undefined ? amount : 0n });

const unchecked: Pattern = async (stage, amount, asset, run) =>
  stage.facet
    .connect(stage.user)
    .depositUnchecked(
      bridgeOf(stage, amount, asset),
      orderIdOf(facetOrder(stage, amount, asset, BigInt(run))),
      value(amount, asset),
    );

const backed: Pattern = async (stage, amount, asset, run) => {
  const bridge = bridgeOf(stage, amount, asset);
  const orderId = orderIdOf(facetOrder(stage, amount, asset, BigInt(run)));
  const digest = await stage.facet.payloadDigest(bridge, orderId, DEADLINE);
  const signature = Signature.from(backend.signingKey.sign(getBytes(digest))).serialized;
  return stage.facet
    .connect(stage.user)
    .depositBacked(bridge, orderId, DEADLINE, signature, value(amount, asset));
};

const checked: Pattern = async (stage, amount, asset, run) => {
  const order = facetOrder(stage, amount, asset, BigInt(run));
  return stage.facet
    .connect(stage.user)
    .deposit(
      bridgeOf(stage, amount, asset),
      orderStruct(order),
      signOrder(facetSolver, order),
      value(amount, asset),
    );
};

const native =
  (pattern: Pattern): Path =>
  async (ethers) => {
    const stage = await deployFacet(ethers);
    return { ours: [stage.facet], send: async (run) => pattern(stage, NATIVE_AMOUNT, undefined, run) };
  };

const erc20 =
  (pattern: Pattern): Path =>
  async (ethers: HardhatEthers) => {
    const stage = await deployFacet(ethers);
    const token = await ethers.deployContract("PlainToken");
    await token.mint(stage.user, TOKEN_AMOUNT * 10n);
    await token.connect(stage.user).approve(stage.facet, MaxUint256);
    const asset = await token.getAddress();
    return { ours: [stage.facet], send: async (run) => pattern(stage, TOKEN_AMOUNT, asset, run) };
  };

export const facetNativeUnchecked = native(unchecked);
export const facetNativeBacked = native(backed);
export const facetNativeChecked = native(checked);
export const facetErc20Unchecked = erc20(unchecked);
export const facetErc20Backed = erc20(backed);
export const facetErc20Checked = erc20(checked);
