import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import {
  Contract,
  ContractFactory,
  type ContractTransactionResponse,
  concat,
  id,
  keccak256,
  MaxUint256,
  Signature,
  toBeHex,
  ZeroAddress,
} from "ethers";
import type { Hex } from "viem";
import type { Order } from "../../../../src/records/Order.ts";
import { orderIdOf, orderStruct, signOrder } from "../signedOrder.ts";
import { padded, requestIdOf, signRecord, testWallet } from "../signedRecord.ts";
import { type Compiled, type Composition, compositionName, type PolicyName } from "./composeReceivers.ts";

const solver = testWallet(19);
const coSigner = testWallet(18);
const recipient = testWallet(3).address;

const CHAIN = 8453n;
const AMOUNT = 10n ** 12n;
const NEVER = 2 ** 32 - 1;

type Account = Awaited<ReturnType<HardhatEthers["getSigners"]>>[number];

export type ComposedStage = {
  readonly ethers: HardhatEthers;
  readonly composition: Composition;
  readonly receiver: Contract;
  readonly owner: Account;
  readonly token: string;
};

/** Deploys a composed receiver whose policies allow the deposits of `waysIn`. */
export async function deployComposed(
  ethers: HardhatEthers,
  composition: Composition,
  compiled: Readonly<Record<string, Compiled>>,
): Promise<ComposedStage> {
  const [owner] = await ethers.getSigners();
  const artifact = compiled[compositionName(composition)];
  if (!owner || !artifact) throw new Error("The receiver was not compiled.");
  const depository = await ethers.deployContract("RelayDepository", [owner.address, owner.address]);
  const factory = new ContractFactory(artifact.abi, artifact.bytecode, owner);
  const deployed = await factory.deploy(solver.address, await depository.getAddress(), owner.address);
  const receiver = new Contract(await deployed.getAddress(), artifact.abi, owner);
  const token = await ethers.deployContract("PlainToken");
  await token.mint(owner, 100n * AMOUNT);
  await token.approve(receiver, MaxUint256);
  const stage = { ethers, composition, receiver, owner, token: await token.getAddress() };
  for (const policy of composition.policies) await states[policy].allow(stage);
  return stage;
}

type PolicyStates = {
  /** Makes the policy accept the deposits. */
  readonly allow: (stage: ComposedStage) => Promise<unknown>;
  /** Makes the policy reject every deposit. */
  readonly reject: (stage: ComposedStage) => Promise<unknown>;
  readonly error: string;
};

async function setLimits({ receiver, token }: ComposedStage, maximum: bigint) {
  for (const currency of [ZeroAddress, token]) {
    await receiver["setCurrencyLimits"]?.({ currency, minimum: 0n, maximum });
  }
}

/** The recipient as the hook of the receiver sees it. */
function recipientEntry({ composition }: ComposedStage) {
  return composition.receiver === "OrderReceiver"
    ? { chainId: BigInt(id("arbitrum")), account: keccak256(recipient) }
    : { chainId: CHAIN, account: padded(recipient) };
}

export const states: Readonly<Record<PolicyName, PolicyStates>> = {
  CurrencyLimits: {
    allow: async (stage) => setLimits(stage, 2n ** 128n - 1n),
    reject: async (stage) => setLimits(stage, 0n),
    error: "CurrencyNotAccepted",
  },
  ExpiryCoSignature: {
    allow: async ({ receiver }) => receiver["setCoSigner"]?.(coSigner.address),
    reject: async ({ receiver, owner }) => receiver["setCoSigner"]?.(owner.address),
    error: "NotCoSigned",
  },
  PausePolicy: {
    allow: async ({ receiver }) => receiver["setPaused"]?.(false),
    reject: async ({ receiver }) => receiver["setPaused"]?.(true),
    error: "DepositsPaused",
  },
  RecipientAllowListMapping: {
    allow: async (stage) => stage.receiver["setRecipients"]?.([recipientEntry(stage)], true),
    reject: async (stage) => stage.receiver["setRecipients"]?.([recipientEntry(stage)], false),
    error: "RecipientNotAllowed",
  },
  SolverSet: {
    allow: async () => undefined,
    reject: async ({ ethers, receiver }) => {
      const block = await ethers.provider.getBlock("latest");
      return receiver["retireSolver"]?.(solver.address, (block?.timestamp ?? 0) + 1);
    },
    error: "SolverNotActive",
  },
};

/** The co-signature where the receiver has that policy, after the solver's signature. */
async function withPolicyData(stage: ComposedStage, requestId: string, signature: string): Promise<string> {
  if (!stage.composition.policies.includes("ExpiryCoSignature")) return signature;
  const { chainId } = await stage.ethers.provider.getNetwork();
  const verifyingContract = await stage.receiver.getAddress();
  const signed = await coSigner.signTypedData(
    { name: "Waybill", version: "1", chainId, verifyingContract },
    {
      Expiry: [
        { name: "requestId", type: "bytes32" },
        { name: "deadline", type: "uint256" },
      ],
    },
    { requestId, deadline: NEVER },
  );
  const { r, yParityAndS } = Signature.from(signed);
  return concat([signature, toBeHex(NEVER, 32), r, yParityAndS]);
}

async function recordArguments(stage: ComposedStage, currency: string, run: number) {
  const { chainId } = await stage.ethers.provider.getNetwork();
  const fields = {
    requestId: requestIdOf(run),
    originChainId: chainId,
    originUser: await stage.receiver.getAddress(),
    originCurrency: currency,
    originAmount: AMOUNT,
    destinationChainId: CHAIN,
    destinationUser: recipient,
  };
  const signature = await withPolicyData(stage, fields.requestId, signRecord(solver, fields));
  return [fields.requestId, CHAIN, padded(recipient), signature];
}

/** An order that pays the recipient; `change` alters it before it is signed. */
export function composedOrder(currency: string, run: number, change?: (order: Order) => Order): Order {
  const order: Order = {
    version: "v1",
    solverChainId: "base",
    solver: solver.address as Hex,
    salt: BigInt(run),
    inputs: [
      { payment: { chainId: "base", currency: currency as Hex, amount: AMOUNT, weight: 1n }, refunds: [] },
    ],
    output: {
      chainId: "arbitrum",
      payments: [
        {
          recipient: recipient as Hex,
          currency: ZeroAddress as Hex,
          minimumAmount: AMOUNT,
          expectedAmount: AMOUNT,
        },
      ],
      calls: [],
      deadline: NEVER,
      extraData: "0x",
    },
    fees: [],
  };
  return change ? change(order) : order;
}

async function orderArguments(stage: ComposedStage, order: Order) {
  const signature = await withPolicyData(stage, orderIdOf(order), signOrder(solver, order));
  return [orderStruct(order), 0, signature];
}

/** A native deposit of an order. */
export async function depositOrder(stage: ComposedStage, order: Order): Promise<ContractTransactionResponse> {
  return stage.receiver["deposit"]?.(...(await orderArguments(stage, order)), { value: AMOUNT });
}

const permits: Readonly<Record<string, (owner: string) => object>> = {
  depositErc20WithAuthorization: (owner) => ({
    owner,
    validAfter: 0,
    validBefore: NEVER,
    v: 27,
    r: id("r"),
    s: id("s"),
  }),
  depositErc20WithPermit: () => ({ value: 0, deadline: 0, r: id("r"), s: id("s"), v: 27 }),
  depositErc20WithPermit2: (owner) => ({ signature: "0x", nonce: 0, owner, deadline: NEVER }),
};

export type WayIn = {
  readonly name: string;
  readonly pay: (stage: ComposedStage, run: number) => Promise<ContractTransactionResponse>;
};

async function argumentsOf(stage: ComposedStage, currency: string, run: number) {
  return stage.composition.receiver === "OrderReceiver"
    ? orderArguments(stage, composedOrder(currency, run))
    : recordArguments(stage, currency, run);
}

async function payment(stage: ComposedStage, currency: string, run: number) {
  const terms = await argumentsOf(stage, currency, run);
  return stage.composition.receiver === "OrderReceiver" ? terms : [currency, AMOUNT, ...terms];
}

/** Every deposit function of every receiver. Permits are invalid: policies reject a deposit before they are used. */
export const waysIn: readonly WayIn[] = [
  {
    name: "deposit",
    pay: async (stage, run) =>
      stage.receiver["deposit"]?.(...(await argumentsOf(stage, ZeroAddress, run)), { value: AMOUNT }),
  },
  {
    name: "depositErc20",
    pay: async (stage, run) =>
      stage.receiver["depositErc20"]?.(stage.token, AMOUNT, ...(await argumentsOf(stage, stage.token, run))),
  },
  ...Object.entries(permits).map(([name, permit]) => ({
    name,
    pay: async (stage: ComposedStage, run: number) =>
      stage.receiver[name]?.(
        stage.token,
        AMOUNT,
        ...(await argumentsOf(stage, stage.token, run)),
        permit(stage.owner.address),
      ),
  })),
  {
    name: "depositAll of native money",
    pay: async (stage, run) =>
      stage.receiver["depositAll"]?.([await payment(stage, ZeroAddress, run)], { value: AMOUNT }),
  },
  {
    name: "depositAll of a token",
    pay: async (stage, run) => stage.receiver["depositAll"]?.([await payment(stage, stage.token, run)]),
  },
];

/** The ways that succeed without a signature of the owner. */
export const plainWays = waysIn.filter(({ name }) => !name.includes("With"));
