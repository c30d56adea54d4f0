import { expect } from "chai";
import { network } from "hardhat";
import type { Hex } from "viem";
import type { Order } from "../../../src/records/Order.ts";
import {
  CHAIN_NAME,
  type DepositOptions,
  deployOrderStage,
  depositErc20,
  depositNative,
  forger,
  inputOf,
  orderOf,
} from "../../helpers/contracts/orderStage.ts";
import { fund } from "../../helpers/contracts/orderTokens.ts";
import { refundPayee, solver } from "../../helpers/contracts/receiverStage.ts";
import { orderIdOf, signOrder } from "../../helpers/contracts/signedOrder.ts";
import { compactSignature, padded, signRecord } from "../../helpers/contracts/signedRecord.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 700n;
const CHAIN_ID = 31_337n;
const NAME_HASH = ethers.id(CHAIN_NAME);
/** An explicit gas limit skips the estimate, so that the transaction runs in the block that the test prepared. */
const GAS_LIMIT = 1_000_000n;

async function stageOnly() {
  return deployOrderStage(ethers);
}

const CURRENCIES = ["native", "token"] as const;

/** A stage with payments in one currency, of which the depositor has a balance. */
async function sceneOf(kind: (typeof CURRENCIES)[number]) {
  const stage = await deployOrderStage(ethers);
  const token = await ethers.deployContract("NoReturnToken");
  await fund(stage, token);
  const address = await token.getAddress();
  const currency = kind === "native" ? ethers.ZeroAddress : address.toLowerCase();
  return {
    stage,
    /** The currency in the form of errors. */
    currency: kind === "native" ? currency : address,
    order: (amount = AMOUNT): Order => orderOf(stage, amount, currency),
    input: (amount = AMOUNT) => inputOf(stage, amount, currency),
    pay: (order: Order, amount = AMOUNT, options: DepositOptions = {}) =>
      kind === "native"
        ? depositNative(stage, order, amount, options)
        : depositErc20(stage, order, token, amount, options),
    /** Balance of the depository. */
    paid: () =>
      kind === "native" ? ethers.provider.getBalance(stage.depository) : token.balanceOf(stage.depository),
  };
}

type Scene = Awaited<ReturnType<typeof sceneOf>>;

/** Expects `order` to be rejected by name and value, without any effect. */
async function expectRefusal(
  { stage, pay, paid }: Scene,
  order: Order,
  error: string,
  args: readonly unknown[],
  { value = AMOUNT, ...options }: DepositOptions & { value?: bigint } = {},
): Promise<void> {
  const refused = expect(pay(order, value, options)).to.be.revertedWithCustomError(stage.receiver, error);
  await (args.length === 0 ? refused : refused.withArgs(...args));
  expect(await paid()).to.equal(0n);
  expect(await stage.receiver.depositorOf(orderIdOf(order))).to.equal(ethers.ZeroAddress);
}

/** The scene's order with a changed payment of its input; the changed order is signed. */
function withPayment(scene: Scene, change: Partial<Order["inputs"][number]["payment"]>): Order {
  const input = scene.input();
  return { ...scene.order(), inputs: [{ ...input, payment: { ...input.payment, ...change } }] };
}

describe("OrderReceiver, refusals", () => {
  describe("deployment", () => {
    async function deploy(change: {
      solver?: string;
      depository?: string;
      name?: string;
      refundPayee?: string;
      chainId?: bigint;
    }) {
      const { depository } = await networkHelpers.loadFixture(stageOnly);
      return ethers.deployContract("OrderReceiver", [
        change.solver ?? solver.address,
        change.depository ?? depository,
        change.name ?? CHAIN_NAME,
        change.chainId ?? CHAIN_ID,
        change.refundPayee ?? refundPayee,
      ]);
    }

    it("rejects deployment without a solver, a depository, a chain name or a refund payee, or with another chain id", async () => {
      const factory = await ethers.getContractFactory("OrderReceiver");
      for (const change of [{ solver: ethers.ZeroAddress }, { refundPayee: ethers.ZeroAddress }]) {
        await expect(deploy(change)).to.be.revertedWithCustomError(factory, "AddressIsZero");
      }
      await expect(deploy({ chainId: 1n }))
        .to.be.revertedWithCustomError(factory, "ChainIdMismatch")
        .withArgs(CHAIN_ID, 1n);
      await expect(deploy({ name: "" })).to.be.revertedWithCustomError(factory, "ChainNameIsEmpty");
      for (const depository of [ethers.ZeroAddress, forger.address]) {
        await expect(deploy({ depository }))
          .to.be.revertedWithCustomError(factory, "DepositoryHasNoCode")
          .withArgs(depository);
      }
    });
  });

  it("a contract that the depository calls cannot pay the order again, because the order is consumed before", async () => {
    const target = await ethers.deployContract("ReentrantTarget");
    const stage = await deployOrderStage(ethers, target);
    const order = orderOf(stage, AMOUNT);
    const question = stage.receiver.interface.encodeFunctionData("depositorOf", [orderIdOf(order)]);
    await target.arm(stage.receiver, question);
    await depositNative(stage, order, AMOUNT);
    expect(await target.fired()).to.equal(1n);
    expect(await target.lastReturnData()).to.equal(padded(stage.depositor.address).toLowerCase());
  });
});

interface Refusal {
  readonly what: string;
  readonly order: (scene: Scene) => Order;
  readonly error: string;
  readonly args?: (scene: Scene) => readonly unknown[];
  readonly options?: (order: Order) => DepositOptions & { value?: bigint };
}

/** Refusals that fuzz tests do not reach: `test/solidity/receiver/order` draws other amounts, keys and orders. */
const refusals: readonly Refusal[] = [
  {
    what: "a deposit of zero, even where the order asks for zero",
    order: ({ order }) => order(0n),
    error: "AmountIsZero",
    options: () => ({ value: 0n }),
  },
  ...[solver, forger].map((signer) => ({
    what: `an order that names another solver, signed by ${signer === solver ? "the receiver's" : "that"} solver`,
    order: ({ order }: Scene) => ({ ...order(), solver: forger.address as Hex }),
    error: "OrderSolverMismatch",
    args: () => [forger.address, solver.address],
    options: (order: Order) => ({ signature: signOrder(signer, order) }),
  })),
  {
    what: "an index after the order's last input",
    order: ({ order }) => order(),
    error: "InputIndexOutOfRange",
    args: () => [1, 1],
    options: () => ({ inputIndex: 1 }),
  },
  {
    what: "an order without inputs",
    order: ({ order }) => ({ ...order(), inputs: [] }),
    error: "InputIndexOutOfRange",
    args: () => [0, 0],
  },
  ...["Base", "base ", "bas", ""].map((chainId) => ({
    what: `an input on "${chainId}" instead of "${CHAIN_NAME}"`,
    order: (scene: Scene) => withPayment(scene, { chainId }),
    error: "InputChainMismatch",
    args: () => [chainId, NAME_HASH],
  })),
  ...[
    { what: "cut by a byte", change: (own: string) => own.slice(0, -2) },
    { what: "followed by a zero byte", change: (own: string) => `${own}00` },
    { what: "padded to a word", change: (own: string) => ethers.zeroPadValue(own, 32) },
  ].map(({ what, change }) => ({
    what: `an input whose currency is ${what}`,
    order: (scene: Scene) => withPayment(scene, { currency: change(scene.currency.toLowerCase()) as Hex }),
    error: "InputCurrencyMismatch",
    args: ({ currency }: Scene) => [change(currency.toLowerCase()), currency],
  })),
  {
    what: "an order that pays no recipient",
    order: (scene) => withPayments(scene.order(), []),
    error: "OutputPaysNobody",
  },
  {
    what: "a payment of the output whose minimum is zero",
    order: ({ order }) => {
      const { payments } = order().output;
      return withPayments(order(), [
        ...payments,
        ...payments.map((each) => ({ ...each, minimumAmount: 0n })),
      ]);
    },
    error: "OutputPaymentIsZero",
    args: () => [1],
  },
];

function withPayments(order: Order, payments: Order["output"]["payments"]): Order {
  return { ...order, output: { ...order.output, payments } };
}

/** The scene's order with one of its deadlines earlier; the changed order is signed. */
function withDeadline({ order, input }: Scene, deadline: number, refundIndex?: number): Order {
  const plain = order();
  if (refundIndex === undefined) return { ...plain, output: { ...plain.output, deadline } };
  const refunds = input().refunds.map((refund, i) => (i === refundIndex ? { ...refund, deadline } : refund));
  return { ...plain, inputs: [{ ...input(), refunds }] };
}

for (const kind of CURRENCIES) {
  async function deployed() {
    return sceneOf(kind);
  }

  describe(`OrderReceiver, refusals in ${kind} currency`, () => {
    for (const { what, order, error, args, options } of refusals) {
      it(`rejects ${what}`, async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const refused = order(scene);
        await expectRefusal(scene, refused, error, args?.(scene) ?? [], options?.(refused));
      });
    }

    for (const refundIndex of [undefined, 0, 1]) {
      const what = refundIndex === undefined ? "the output" : `refund ${refundIndex} of the paid input`;
      it(`rejects a payment one second after the deadline of ${what}, and accepts it in the last second`, async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const deadline = scene.stage.deadline - 100;
        const order = withDeadline(scene, deadline, refundIndex);
        const error = refundIndex === undefined ? "OutputDeadlinePassed" : "RefundDeadlinePassed";
        const place = refundIndex === undefined ? [] : [refundIndex];
        const snapshot = await networkHelpers.takeSnapshot();

        await networkHelpers.time.setNextBlockTimestamp(deadline + 1);
        await expectRefusal(scene, order, error, [...place, deadline, deadline + 1], { gasLimit: GAS_LIMIT });

        await snapshot.restore();
        await networkHelpers.time.setNextBlockTimestamp(deadline);
        await scene.pay(order, AMOUNT, { gasLimit: GAS_LIMIT });
        expect(await scene.stage.receiver.depositorOf(orderIdOf(order))).to.equal(
          scene.stage.depositor.address,
        );
      });
    }

    it("rejects a second payment of an order, from any account, of any input, with either form of the signature", async () => {
      const scene = await networkHelpers.loadFixture(deployed);
      const order: Order = { ...scene.order(), inputs: [scene.input(), scene.input()] };
      await scene.pay(order);
      const signature = compactSignature(signOrder(solver, order));
      for (const options of [{}, { from: scene.stage.stranger }, { signature }, { inputIndex: 1 }]) {
        await expect(scene.pay(order, AMOUNT, options))
          .to.be.revertedWithCustomError(scene.stage.receiver, "RequestAlreadyConsumed")
          .withArgs(orderIdOf(order));
      }
      expect(await scene.paid()).to.equal(AMOUNT);
    });

    it("rejects the solver's signature over the text of the id, over its bare hash, or over a record", async () => {
      const scene = await networkHelpers.loadFixture(deployed);
      const order = scene.order();
      const record = {
        requestId: orderIdOf(order),
        originChainId: CHAIN_ID,
        originUser: scene.stage.depositor.address,
        originCurrency: ethers.ZeroAddress,
        originAmount: AMOUNT,
        destinationChainId: 42_161n,
        destinationUser: scene.stage.recipient,
      };
      for (const signature of [
        solver.signMessageSync(orderIdOf(order)),
        solver.signingKey.sign(orderIdOf(order)).serialized,
        signRecord(solver, record),
      ]) {
        await expectRefusal(scene, order, "OrderNotSignedBySolver", [isOther, solver.address], { signature });
      }
    });
  });
}

function isOther(signer: string): boolean {
  return signer !== solver.address;
}
