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
import { compactSignature, mirroredSignature, signRecord } from "../../helpers/contracts/signedRecord.ts";

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
  expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(false);
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
    const question = stage.receiver.interface.encodeFunctionData("isConsumed", [orderIdOf(order)]);
    await target.arm(stage.receiver, question);
    await depositNative(stage, order, AMOUNT);
    expect(await target.fired()).to.equal(1n);
    expect(await target.lastReturnData()).to.equal(ethers.toBeHex(1, 32));
  });
});

for (const kind of CURRENCIES) {
  async function deployed() {
    return sceneOf(kind);
  }

  describe(`OrderReceiver, refusals in ${kind} currency`, () => {
    it("rejects a deposit of zero, even where the order asks for zero", async () => {
      const scene = await networkHelpers.loadFixture(deployed);
      await expectRefusal(scene, scene.order(0n), "AmountIsZero", [], { value: 0n });
    });

    it("rejects an order that names another solver, with any signature", async () => {
      const scene = await networkHelpers.loadFixture(deployed);
      const order: Order = { ...scene.order(), solver: forger.address as Hex };
      for (const signer of [solver, forger]) {
        await expectRefusal(scene, order, "OrderSolverMismatch", [forger.address, solver.address], {
          signature: signOrder(signer, order),
        });
      }
    });

    it("rejects an index without an input in the order", async () => {
      const scene = await networkHelpers.loadFixture(deployed);
      await expectRefusal(scene, scene.order(), "InputIndexOutOfRange", [1, 1], { inputIndex: 1 });
      const order: Order = { ...scene.order(), inputs: [] };
      await expectRefusal(scene, order, "InputIndexOutOfRange", [0, 0]);
    });

    it("rejects an input on another chain, or on one with a similar name", async () => {
      const scene = await networkHelpers.loadFixture(deployed);
      for (const chainId of ["optimism", "Base", "base ", "bas", ""]) {
        await expectRefusal(scene, withPayment(scene, { chainId }), "InputChainMismatch", [
          chainId,
          NAME_HASH,
        ]);
      }
    });

    it("rejects an input in another currency, or in one that is not exactly its 20 bytes", async () => {
      const scene = await networkHelpers.loadFixture(deployed);
      const own = scene.currency.toLowerCase();
      const currencies = [
        "0x",
        own.slice(0, -2),
        `${own}00`,
        ethers.zeroPadValue(own, 32),
        `${own.slice(0, -2)}01`,
      ];
      for (const currency of [...currencies, `0x01${own.slice(4)}`, solver.address.toLowerCase()]) {
        const order = withPayment(scene, { currency: currency as Hex });
        await expectRefusal(scene, order, "InputCurrencyMismatch", [currency, scene.currency]);
      }
    });

    for (const [what, value] of [
      ["less", AMOUNT - 1n],
      ["more", AMOUNT + 1n],
    ] as const) {
      it(`rejects a payment of one wei ${what} than the input's amount`, async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        await expectRefusal(scene, scene.order(), "InputAmountMismatch", [value, AMOUNT], { value });
      });
    }

    describe("deadlines", () => {
      it("rejects a payment one second after the output's deadline, and accepts it in the last second", async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const plain = scene.order();
        const deadline = scene.stage.deadline - 100;
        const order: Order = { ...plain, output: { ...plain.output, deadline } };
        const snapshot = await networkHelpers.takeSnapshot();

        await networkHelpers.time.setNextBlockTimestamp(deadline + 1);
        await expectRefusal(scene, order, "OutputDeadlinePassed", [deadline, deadline + 1], {
          gasLimit: GAS_LIMIT,
        });

        await snapshot.restore();
        await networkHelpers.time.setNextBlockTimestamp(deadline);
        await scene.pay(order, AMOUNT, { gasLimit: GAS_LIMIT });
        expect(await scene.stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
      });

      for (const refundIndex of [0, 1]) {
        it(`rejects a payment one second after the deadline of refund ${refundIndex} of the paid input`, async () => {
          const scene = await networkHelpers.loadFixture(deployed);
          const input = scene.input();
          const deadline = scene.stage.deadline - 100;
          const refunds = input.refunds.map((refund, i) =>
            i === refundIndex ? { ...refund, deadline } : refund,
          );
          const order: Order = { ...scene.order(), inputs: [{ ...input, refunds }] };
          const snapshot = await networkHelpers.takeSnapshot();

          await networkHelpers.time.setNextBlockTimestamp(deadline + 1);
          await expectRefusal(scene, order, "RefundDeadlinePassed", [refundIndex, deadline, deadline + 1], {
            gasLimit: GAS_LIMIT,
          });

          await snapshot.restore();
          await networkHelpers.time.setNextBlockTimestamp(deadline);
          await scene.pay(order, AMOUNT, { gasLimit: GAS_LIMIT });
          expect(await scene.stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
        });
      }
    });

    describe("second payments", () => {
      it("rejects a second payment of an order, from any account, with either form of the signature", async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const order = scene.order();
        await scene.pay(order);
        const signature = signOrder(solver, order);
        for (const options of [
          {},
          { from: scene.stage.stranger },
          { signature: compactSignature(signature) },
        ]) {
          await expect(scene.pay(order, AMOUNT, options))
            .to.be.revertedWithCustomError(scene.stage.receiver, "RequestAlreadyConsumed")
            .withArgs(orderIdOf(order));
        }
        expect(await scene.paid()).to.equal(AMOUNT);
      });

      it("rejects payments of two inputs of one order", async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const order: Order = {
          ...scene.order(),
          inputs: [scene.input(), scene.input()],
        };
        await scene.pay(order);
        await expect(scene.pay(order, AMOUNT, { inputIndex: 1 }))
          .to.be.revertedWithCustomError(scene.stage.receiver, "RequestAlreadyConsumed")
          .withArgs(orderIdOf(order));
      });
    });

    describe("terms that the solver did not sign", () => {
      it("rejects a forger's signature, with the forger's address", async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const order = scene.order();
        await expectRefusal(scene, order, "OrderNotSignedBySolver", [forger.address, solver.address], {
          signature: signOrder(forger, order),
        });
      });

      it("rejects an order that was changed anywhere after it was signed", async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const order = scene.order();
        const signature = signOrder(solver, order);
        const { output } = order;
        const [payment] = output.payments;
        const [input] = order.inputs;
        if (payment === undefined || input === undefined) throw new Error("The stage's order is empty.");
        const refund = { ...input.refunds[0], recipient: forger.address as Hex } as (typeof input.refunds)[0];
        const changes: Record<string, Order> = {
          "another recipient": {
            ...order,
            output: { ...output, payments: [{ ...payment, recipient: forger.address as Hex }] },
          },
          "a lower minimum": {
            ...order,
            output: { ...output, payments: [{ ...payment, minimumAmount: 1n }] },
          },
          "a later deadline": { ...order, output: { ...output, deadline: output.deadline + 1 } },
          "a call more": { ...order, output: { ...output, calls: ["0x12"] } },
          "another refund recipient": { ...order, inputs: [{ ...input, refunds: [refund] }] },
          "an amount and a value to match": { ...order, inputs: [scene.input(AMOUNT - 1n)] },
        };
        for (const [what, changed] of Object.entries(changes)) {
          const value = what.startsWith("an amount") ? AMOUNT - 1n : AMOUNT;
          const error = await scene.pay(changed, value, { signature }).catch(String);
          expect(error, what).to.match(/OrderNotSignedBySolver|SignatureRecoversNobody/);
          expect(await scene.stage.receiver.isConsumed(orderIdOf(changed)), what).to.equal(false);
        }
      });

      it("rejects the solver's signature over the Ethereum message of the id's text, or over a record", async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const order = scene.order();
        const record = signRecord(solver, {
          requestId: orderIdOf(order),
          originChainId: 31_337n,
          originUser: scene.stage.depositor.address,
          originCurrency: ethers.ZeroAddress,
          originAmount: AMOUNT,
          destinationChainId: 42_161n,
          destinationUser: scene.stage.recipient,
        });
        const wrong = [solver.signMessageSync(orderIdOf(order)), record];
        wrong.push(solver.signingKey.sign(orderIdOf(order)).serialized);
        for (const signature of wrong) {
          const error = await scene.pay(order, AMOUNT, { signature }).catch(String);
          expect(error).to.match(/OrderNotSignedBySolver|SignatureRecoversNobody/);
        }
      });

      it("rejects signatures that are mirrored, too short or empty, by name", async () => {
        const scene = await networkHelpers.loadFixture(deployed);
        const order = scene.order();
        const signature = mirroredSignature(signOrder(solver, order));
        const s = ethers.dataSlice(signature, 32, 64);
        await expectRefusal(scene, order, "SignatureSTooHigh", [s], { signature });
        await expectRefusal(scene, order, "SignatureLengthInvalid", [0], { signature: "0x" });
        await expectRefusal(scene, order, "SignatureRecoversNobody", [], {
          signature: `0x${"00".repeat(65)}`,
        });
      });
    });

    it("rejects an order without payments, or with one whose minimum is zero", async () => {
      const scene = await networkHelpers.loadFixture(deployed);
      const order = scene.order();
      const { output } = order;
      const none: Order = { ...order, output: { ...output, payments: [] } };
      await expectRefusal(scene, none, "OutputPaysNobody", []);
      const [payment] = output.payments;
      if (payment === undefined) throw new Error("The stage's order pays nobody.");
      const payments = [payment, { ...payment, minimumAmount: 0n }];
      await expectRefusal(scene, { ...order, output: { ...output, payments } }, "OutputPaymentIsZero", [1]);
    });
  });
}
