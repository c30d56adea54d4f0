import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { keccak256, toUtf8Bytes, ZeroAddress, ZeroHash } from "ethers";
import type { Hex } from "viem";
import type { Order } from "../../../src/records/Order.ts";
import type { LocalOrderFacet, RelayDepository, TradingPost } from "../../../typechain-types/index.ts";
import { testWallet } from "./signedRecord.ts";

/** Keys that no account of the local chain has. */
export const facetSolver = testWallet(19);
export const backend = testWallet(18);

/** The local chain's name in orders. */
const ORIGIN = "alpha";
const DESTINATION = "arbitrum";
const DESTINATION_ID = 42_161n;
/** Where the service's router fills, and a token, as in the published orders. */
const EXTRA_DATA = "0x000000000000000000000000b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f";
const OUTPUT_TOKEN = "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9";

type Account = Awaited<ReturnType<HardhatEthers["getSigners"]>>[number];

/** A facet with a depository and a router, and the user that pays. */
export interface FacetStage {
  readonly ethers: HardhatEthers;
  readonly facet: LocalOrderFacet;
  readonly depository: RelayDepository;
  readonly router: TradingPost;
  readonly user: Account;
  readonly refundTo: Account;
  readonly receiver: Hex;
  readonly deadline: number;
}

/** Deploys the examples' facet. Orders end at `deadline`, by default in seven days. */
export async function deployFacet(ethers: HardhatEthers): Promise<FacetStage> {
  const [owner, user, refundTo, receiver] = await ethers.getSigners();
  const block = await ethers.provider.getBlock("latest");
  if (!owner || !user || !refundTo || !receiver || !block) throw new Error("The chain is too small.");
  const depository = await ethers.deployContract("RelayDepository", [owner.address, owner.address]);
  const router = await ethers.deployContract("TradingPost");
  const facet = await ethers.deployContract("LocalOrderFacet", [
    depository,
    facetSolver.address,
    router,
    backend.address,
  ]);
  return {
    ethers,
    facet,
    depository,
    router,
    user,
    refundTo,
    receiver: receiver.address.toLowerCase() as Hex,
    deadline: block.timestamp + 7 * 86_400,
  };
}

/** What the user wants: at least 99 % of `amount` of the output token. */
export function bridgeOf(stage: FacetStage, amount: bigint, asset: string = ZeroAddress) {
  return {
    asset,
    minAmount: amount,
    destinationChainId: DESTINATION_ID,
    receiver: stage.receiver,
    outputAsset: OUTPUT_TOKEN,
    minOutput: amount - amount / 100n,
    refundTo: stage.refundTo.address,
    depositor: stage.user.address,
  };
}

/** An order in the published form that satisfies `bridgeOf`. */
export function facetOrder(stage: FacetStage, amount: bigint, asset: string = ZeroAddress, salt = 1n): Order {
  const { deadline } = stage;
  const currency = asset.toLowerCase() as Hex;
  const refund = {
    chainId: ORIGIN,
    recipient: stage.refundTo.address.toLowerCase() as Hex,
    currency,
    minimumAmount: 0n,
    deadline,
    extraData: EXTRA_DATA,
  } as const;
  return {
    version: "v1",
    solverChainId: "base",
    solver: facetSolver.address as Hex,
    salt: BigInt(keccak256(toUtf8Bytes(String(salt)))),
    inputs: [
      {
        payment: { chainId: ORIGIN, currency, amount, weight: 1n },
        refunds: [refund, { ...refund, chainId: DESTINATION, currency: OUTPUT_TOKEN }],
      },
    ],
    output: {
      chainId: DESTINATION,
      payments: [
        {
          recipient: stage.receiver,
          currency: OUTPUT_TOKEN,
          minimumAmount: amount - amount / 100n,
          expectedAmount: amount,
        },
      ],
      calls: [],
      deadline,
      extraData: EXTRA_DATA,
    },
    fees: [],
  };
}

/** Terms of the stage's orders, without those that a deposit sets. */
export function fixedTerms(stage: FacetStage, currency: string = ZeroAddress) {
  const [payment] = facetOrder(stage, 1n).output.payments;
  return {
    solver: facetSolver.address,
    originChain: keccak256(toUtf8Bytes(ORIGIN)),
    currency,
    amount: 0n,
    refundTo: stage.refundTo.address,
    destinationChain: keccak256(toUtf8Bytes(DESTINATION)),
    recipient: keccak256(stage.receiver),
    outputCurrency: keccak256(payment?.currency ?? "0x"),
    minimumAmount: 0n,
    callsHash: ZeroHash,
    earliestDeadline: 0n,
    latestDeadline: 0n,
    maximumFees: 0n,
  };
}
