import { expect } from "chai";
import { type BaseContract, MaxUint256, ZeroAddress } from "ethers";
import type { Order } from "../../../../src/records/Order.ts";
import { libraryErrors, reentrancyReason } from "../libraryErrors.ts";
import { CHAIN_NAME, deployOrderStage, type OrderStage, orderOf } from "../orderStage.ts";
import { fund, ORDER_AMOUNT, orderIn, signOrderAuthorization, signOrderTransfer } from "../orderTokens.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../permit2.ts";
import { refundPayee, solver } from "../receiverStage.ts";
import { orderIdOf, orderStruct, signOrder } from "../signedOrder.ts";
import type { TestToken } from "../tokens.ts";
import { AMOUNT, type Attempt, become, expectRefused, isCut, selfDestructingCode } from "./attempt.ts";
import type { Adversary, Cell, Chain, Meeting, NotApplicable, Path } from "./matrix.ts";
import { nativeRow, type PrepareNative } from "./nativeRows.ts";
import { AUTHORIZING_NAME, deployAuthorizing, invalidPermit } from "./recordPaths.ts";
import { pulledOutcomes, relayedOutcomes } from "./tokenOutcomes.ts";
import {
  AFTER_FEE,
  deployPlainly,
  HEIR,
  type Outcome,
  type PrepareToken,
  refused,
  returnedFalse,
  type TokenOutcomes,
  tokenRow,
} from "./tokenRows.ts";

if (ORDER_AMOUNT !== AMOUNT) throw new Error("Orders of another amount than the matrix is about.");

async function attemptOf(
  stage: OrderStage,
  order: Order,
  currency: string,
  call: string,
  signed?: unknown,
): Promise<Attempt> {
  const contract: BaseContract = stage.receiver;
  const payee = await stage.depository.getAddress();
  const isNative = currency === ZeroAddress;
  const terms = [orderStruct(order), 0, signOrder(solver, order)];
  const single = isNative ? terms : [currency, AMOUNT, ...terms];
  const args = call === "depositAll" ? [[terms]] : signed === undefined ? single : [...single, signed];
  return {
    contract,
    from: stage.depositor,
    data: contract.interface.encodeFunctionData(call, args),
    value: isNative ? AMOUNT : 0n,
    currency,
    payee,
    holders: [stage.depositor.address, await contract.getAddress(), payee],
    moved: [-AMOUNT, 0n, AMOUNT],
    books: async () => [await stage.receiver.depositorOf(orderIdOf(order))],
    booksAfter: [stage.depositor.address],
  };
}

const prepareNative: PrepareNative = async ({ ethers }) => {
  const stage = await deployOrderStage(ethers);
  return attemptOf(stage, orderOf(stage, AMOUNT), ZeroAddress, "deposit");
};

/** The depositor has given the receiver an infinite allowance, and signs the value that `sign` returns. */
const preparing =
  (
    call: string,
    sign?: (stage: OrderStage, order: Order, token: TestToken) => Promise<unknown>,
  ): PrepareToken =>
  async ({ ethers }, token) => {
    const stage = await deployOrderStage(ethers);
    await fund(stage, token);
    const order = await orderIn(stage, token);
    return attemptOf(stage, order, await token.getAddress(), call, await sign?.(stage, order, token));
  };

const prepareErc20 = preparing("depositErc20");

const failed = ({ payee }: Attempt, reason: unknown) => ({
  name: "DepositoryRejected",
  args: [payee, reason],
});

const native = {
  failed,
  again: ({ contract, data }: Attempt) => {
    const { order } = contract.interface.decodeFunctionData("deposit", data);
    return contract.interface.encodeErrorResult("RequestAlreadyConsumed", [orderIdOf(order)]);
  },
  withoutCode: [
    {
      does: "is refused with DepositoryHasNoCode before there is a receiver",
      check: async ({ ethers }: Chain) => {
        const factory = await ethers.getContractFactory("OrderReceiver");
        const account = "0x00000000000000000000000000000000000a1e13";
        const { chainId } = await ethers.provider.getNetwork();
        await expect(factory.deploy(solver.address, account, CHAIN_NAME, chainId, refundPayee))
          .to.be.revertedWithCustomError(factory, "DepositoryHasNoCode")
          .withArgs(ethers.getAddress(account));
      },
    },
  ],
} as const;

/** Expects that another amount than the signed one arrived at the receiver or the depository. */
const arrived = (amount: bigint): Outcome =>
  refused("ArrivedAmountMismatch", (token) => [token, AMOUNT, amount]);

const rejected = (reason: unknown): Outcome =>
  refused("DepositoryRejected", (_, { payee }) => [payee, reason]);

/** The depository's own library gives no reason. */
const depositoryRefused = rejected(libraryErrors.interface.encodeErrorResult("TransferFromFailed", []));

/** Replaces the depository's code; no money stays in the receiver, whatever that code does. */
function replaced(
  does: string,
  outcome: Outcome,
  replace: (chain: Chain, attempt: Attempt) => Promise<void>,
  gasLimit?: bigint,
): Meeting {
  return {
    does,
    check: async (chain) => {
      const token = await deployPlainly(chain, "PlainToken");
      const attempt = await prepareErc20(chain, token as TestToken);
      const expected = outcome.expected(await token.getAddress(), attempt);
      if (!("name" in expected)) throw new Error("A replaced depository never takes the money.");
      await expectRefused(chain, attempt, expected, {
        turn: { make: async () => replace(chain, attempt) },
        ...(gasLimit === undefined ? {} : { gasLimit }),
      });
    },
  };
}

const becoming =
  (name: string, args: unknown[] = []) =>
  async (chain: Chain, { payee }: Attempt) =>
    become(chain, payee, await chain.ethers.deployContract(name as string, args));

const becomingBomb =
  (reverts: boolean) =>
  async (chain: Chain, attempt: Attempt): Promise<void> => {
    await becoming("ReturndataBomb", [0n, false])(chain, attempt);
    await (await chain.ethers.getContractAt("ReturndataBomb", attempt.payee)).configure(200_000n, reverts);
  };

const takesNothing = "is refused with ArrivedAmountMismatch when the depository takes nothing";

const erc20Outcomes: TokenOutcomes = {
  ...pulledOutcomes,
  returnsFalse: [
    { functions: [false, true, false], outcome: returnedFalse },
    { functions: [false, false, true], outcome: refused("ApproveFailed") },
  ],
  fee: arrived(AFTER_FEE),
  rounding: arrived(AMOUNT - 1n),
  blocked: { who: ({ payee }) => payee, outcome: depositoryRefused },
  payees: {
    "reentrant payee": [
      replaced(`${takesNothing} but calls back`, arrived(0n), async (chain, attempt) => {
        await becoming("ReentrantTarget")(chain, attempt);
        const target = await chain.ethers.getContractAt("ReentrantTarget", attempt.payee);
        await target.arm(attempt.contract, attempt.data);
      }),
    ],
    "gas-burning payee": [
      replaced(
        "is refused with DepositoryRejected when the gas is too little",
        rejected("0x"),
        becoming("GasBurningRecipient", [1_000_000n]),
        500_000n,
      ),
      replaced(takesNothing, arrived(0n), becoming("GasBurningRecipient", [1_000_000n])),
    ],
    "payee that rejects ether": [
      replaced(
        "is refused with DepositoryRejected when it rejects the call",
        rejected(isRejection),
        becoming("RejectingRecipient"),
      ),
    ],
  },
};

const erc20Row = tokenRow(prepareErc20, erc20Outcomes);

function isRejection(reason: string): boolean {
  return reason.length === 2 + 8 + 64 && BigInt(`0x${reason.slice(10)}`) === 0n;
}

const also = (cell: Cell, more: readonly Meeting[]): Cell => [...(cell as readonly Meeting[]), ...more];

const erc20Cells: Record<Adversary, Cell> = {
  ...erc20Row,
  "returndata bomb": also(erc20Row["returndata bomb"], [
    replaced(`${takesNothing} and returns it`, arrived(0n), becomingBomb(false)),
    replaced(
      "is refused with DepositoryRejected when the depository reverts with it",
      rejected(isCut),
      becomingBomb(true),
    ),
  ]),
  "contract without code": also(erc20Row["contract without code"], [
    replaced(
      "is refused with ArrivedAmountMismatch when the depository's is gone",
      arrived(0n),
      async (chain, { payee }) => chain.networkHelpers.setCode(payee, "0x"),
    ),
  ]),
  "self-destructing payee": also(erc20Row["self-destructing payee"], [
    replaced(`${takesNothing} but destroys itself`, arrived(0n), async (chain, { payee }) =>
      chain.networkHelpers.setCode(payee, selfDestructingCode(HEIR)),
    ),
  ]),
};

const sharedPayee: NotApplicable = {
  reason: "OrderReceiver.depositErc20 meets it: the same function hands the tokens to the depository.",
};

const pulledAlike: TokenOutcomes = {
  ...erc20Outcomes,
  payees: {
    "reentrant payee": sharedPayee,
    "gas-burning payee": sharedPayee,
    "payee that rejects ether": sharedPayee,
  },
};

const preparePermit = preparing("depositErc20WithPermit", async () => invalidPermit);

const preparePermit2 = preparing("depositErc20WithPermit2", async (stage, order, token) => {
  await placePermit2(stage.ethers);
  await token.connect(stage.depositor).approve(PERMIT2_ADDRESS, MaxUint256);
  return signOrderTransfer(stage, order);
});

const prepareAuthorization = preparing("depositErc20WithAuthorization", (stage, order, token) =>
  signOrderAuthorization(stage, order, token, AUTHORIZING_NAME),
);

const prepareBatchNative: PrepareNative = async ({ ethers }) => {
  const stage = await deployOrderStage(ethers);
  return attemptOf(stage, orderOf(stage, AMOUNT), ZeroAddress, "depositAll");
};

/** A signature that another account used first is rejected as for records. */
const signedOutcomes = (first: TokenOutcomes): TokenOutcomes => ({
  ...pulledAlike,
  returnsFalse: [
    ...first.returnsFalse.filter(({ functions: [transfer] }) => !transfer),
    ...pulledAlike.returnsFalse.filter(({ functions: [, , approve] }) => approve),
  ],
  bombReturns: first.bombReturns,
});

const path = (name: string, cells: Record<Adversary, Cell>, variant?: string): Path => ({
  contract: "OrderReceiver",
  function: name,
  cells,
  ...(variant === undefined ? {} : { variant }),
});

export const orderPaths: readonly Path[] = [
  path("deposit", nativeRow(prepareNative, native)),
  path("depositErc20", erc20Cells),
  path("depositErc20WithPermit", tokenRow(preparePermit, pulledAlike)),
  path("depositErc20WithPermit2", tokenRow(preparePermit2, signedOutcomes(relayedOutcomes.permit2))),
  path(
    "depositErc20WithAuthorization",
    tokenRow(prepareAuthorization, signedOutcomes(relayedOutcomes.authorization), deployAuthorizing),
  ),
  path(
    "depositAll",
    nativeRow(prepareBatchNative, { ...native, again: reentrancyReason }),
    "native currency",
  ),
  path("depositAll", tokenRow(preparing("depositAll"), pulledAlike), "a token"),
];
