import { expect } from "chai";
import { network } from "hardhat";
import type { Hex } from "viem";
import type { Order } from "../../../src/records/Order.ts";
import {
  CHAIN_NAME,
  type DepositOptions,
  deployOrderStage,
  depositNative,
  forger,
  inputOf,
  type OrderStage,
  orderOf,
  solver,
} from "../../helpers/contracts/orderStage.ts";
import { refundPayee } from "../../helpers/contracts/receiverStage.ts";
import { orderIdOf, signOrder } from "../../helpers/contracts/signedOrder.ts";
import { compactSignature, mirroredSignature, signRecord } from "../../helpers/contracts/signedRecord.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 700n;
const NAME_HASH = ethers.id(CHAIN_NAME);
const MAX_REASON_BYTES = 1024;
/** With a limit of its own a transaction is not estimated first, so that it runs in the block the test prepared. */
const GAS_LIMIT = 1_000_000n;

async function stageOnly() {
  return deployOrderStage(ethers);
}

/** Expects `order` to be refused by name and value, and nothing to have happened. */
async function expectRefusal(
  stage: OrderStage,
  order: Order,
  error: string,
  args: readonly unknown[],
  { value = AMOUNT, ...options }: DepositOptions & { value?: bigint } = {},
): Promise<void> {
  const refused = expect(depositNative(stage, order, value, options)).to.be.revertedWithCustomError(
    stage.receiver,
    error,
  );
  await (args.length === 0 ? refused : refused.withArgs(...args));
  expect(await ethers.provider.getBalance(stage.depository)).to.equal(0n);
  expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(false);
}

/** The order of the stage with its one input's payment changed; signed as it is. */
function withPayment(stage: OrderStage, change: Partial<Order["inputs"][number]["payment"]>): Order {
  const input = inputOf(stage, AMOUNT);
  return { ...orderOf(stage, AMOUNT), inputs: [{ ...input, payment: { ...input.payment, ...change } }] };
}

describe("OrderReceiver refuses", () => {
  describe("to be deployed", () => {
    async function deploy(change: {
      solver?: string;
      depository?: string;
      name?: string;
      refundPayee?: string;
    }) {
      const { depository } = await networkHelpers.loadFixture(stageOnly);
      return ethers.deployContract("OrderReceiver", [
        change.solver ?? solver.address,
        change.depository ?? depository,
        change.name ?? CHAIN_NAME,
        ethers.ZeroHash,
        change.refundPayee ?? refundPayee,
        false,
      ]);
    }

    it("without a solver, a depository, a chain name or a refund payee", async () => {
      const factory = await ethers.getContractFactory("OrderReceiver");
      for (const change of [{ solver: ethers.ZeroAddress }, { refundPayee: ethers.ZeroAddress }]) {
        await expect(deploy(change)).to.be.revertedWithCustomError(factory, "AddressIsZero");
      }
      await expect(deploy({ name: "" })).to.be.revertedWithCustomError(factory, "ChainNameIsEmpty");
      for (const depository of [ethers.ZeroAddress, forger.address]) {
        await expect(deploy({ depository }))
          .to.be.revertedWithCustomError(factory, "DepositoryHasNoCode")
          .withArgs(depository);
      }
    });
  });

  it("a deposit of nothing, even where the order asks for nothing", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    await expectRefusal(stage, orderOf(stage, 0n), "AmountIsZero", [], { value: 0n });
  });

  it("an order that names another solver, with any signature", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const order: Order = { ...orderOf(stage, AMOUNT), solver: forger.address as Hex };
    for (const signer of [solver, forger]) {
      await expectRefusal(stage, order, "OrderSolverMismatch", [forger.address, solver.address], {
        signature: signOrder(signer, order),
      });
    }
  });

  it("an index the order has no input at", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    await expectRefusal(stage, orderOf(stage, AMOUNT), "InputIndexOutOfRange", [1, 1], { inputIndex: 1 });
    const order: Order = { ...orderOf(stage, AMOUNT), inputs: [] };
    await expectRefusal(stage, order, "InputIndexOutOfRange", [0, 0]);
  });

  it("an input to be paid on another chain, or on one whose name only resembles this one's", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    for (const chainId of ["optimism", "Base", "base ", "bas", ""]) {
      await expectRefusal(stage, withPayment(stage, { chainId }), "InputChainMismatch", [chainId, NAME_HASH]);
    }
  });

  it("an input in a token, or in a native currency that is not 20 zero bytes", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    const currencies = [
      solver.address.toLowerCase(),
      "0x",
      `0x${"00".repeat(19)}`,
      `0x${"00".repeat(21)}`,
      ethers.ZeroHash,
    ];
    for (const currency of [...currencies, `0x${"00".repeat(19)}01`, `0x01${"00".repeat(19)}`]) {
      const order = withPayment(stage, { currency: currency as Hex });
      await expectRefusal(stage, order, "InputCurrencyMismatch", [currency, ethers.ZeroAddress]);
    }
  });

  for (const [what, value] of [
    ["less", AMOUNT - 1n],
    ["more", AMOUNT + 1n],
  ] as const) {
    it(`one wei ${what} than the input asks for`, async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      await expectRefusal(stage, orderOf(stage, AMOUNT), "InputAmountMismatch", [value, AMOUNT], { value });
    });
  }

  describe("after a deadline", () => {
    it("of the output, from one second after it; in the last second the order is paid", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const plain = orderOf(stage, AMOUNT);
      const deadline = stage.deadline - 100;
      const order: Order = { ...plain, output: { ...plain.output, deadline } };
      const snapshot = await networkHelpers.takeSnapshot();

      await networkHelpers.time.setNextBlockTimestamp(deadline + 1);
      await expectRefusal(stage, order, "OutputDeadlinePassed", [deadline, deadline + 1], {
        gasLimit: GAS_LIMIT,
      });

      await snapshot.restore();
      await networkHelpers.time.setNextBlockTimestamp(deadline);
      await depositNative(stage, order, AMOUNT, { gasLimit: GAS_LIMIT });
      expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
    });

    for (const refundIndex of [0, 1]) {
      it(`of refund ${refundIndex} of the paid input, from one second after it`, async () => {
        const stage = await networkHelpers.loadFixture(stageOnly);
        const input = inputOf(stage, AMOUNT);
        const deadline = stage.deadline - 100;
        const refunds = input.refunds.map((refund, i) =>
          i === refundIndex ? { ...refund, deadline } : refund,
        );
        const order: Order = { ...orderOf(stage, AMOUNT), inputs: [{ ...input, refunds }] };
        const snapshot = await networkHelpers.takeSnapshot();

        await networkHelpers.time.setNextBlockTimestamp(deadline + 1);
        await expectRefusal(stage, order, "RefundDeadlinePassed", [refundIndex, deadline, deadline + 1], {
          gasLimit: GAS_LIMIT,
        });

        await snapshot.restore();
        await networkHelpers.time.setNextBlockTimestamp(deadline);
        await depositNative(stage, order, AMOUNT, { gasLimit: GAS_LIMIT });
        expect(await stage.receiver.isConsumed(orderIdOf(order))).to.equal(true);
      });
    }
  });

  describe("to be paid twice", () => {
    it("for one order, by the same account or another, in either form of the signature", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const order = orderOf(stage, AMOUNT);
      await depositNative(stage, order, AMOUNT);
      const signature = signOrder(solver, order);
      for (const options of [{}, { from: stage.stranger }, { signature: compactSignature(signature) }]) {
        await expect(depositNative(stage, order, AMOUNT, options))
          .to.be.revertedWithCustomError(stage.receiver, "OrderAlreadyConsumed")
          .withArgs(orderIdOf(order));
      }
      expect(await ethers.provider.getBalance(stage.depository)).to.equal(AMOUNT);
    });

    it("for two inputs of one order", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const order: Order = {
        ...orderOf(stage, AMOUNT),
        inputs: [inputOf(stage, AMOUNT), inputOf(stage, AMOUNT)],
      };
      await depositNative(stage, order, AMOUNT);
      await expect(depositNative(stage, order, AMOUNT, { inputIndex: 1 }))
        .to.be.revertedWithCustomError(stage.receiver, "OrderAlreadyConsumed")
        .withArgs(orderIdOf(order));
    });

    it("by a contract that the depository calls, because the order is consumed before", async () => {
      const target = await ethers.deployContract("ReentrantTarget");
      const stage = await deployOrderStage(ethers, ethers.ZeroHash, target);
      const order = orderOf(stage, AMOUNT);
      const question = stage.receiver.interface.encodeFunctionData("isConsumed", [orderIdOf(order)]);
      await target.arm(stage.receiver, question);
      await depositNative(stage, order, AMOUNT);
      expect(await target.fired()).to.equal(1n);
      expect(await target.lastReturnData()).to.equal(ethers.toBeHex(1, 32));
    });
  });

  describe("what the solver did not sign", () => {
    it("a forger's signature, naming the forger", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const order = orderOf(stage, AMOUNT);
      await expectRefusal(stage, order, "OrderNotSignedBySolver", [forger.address, solver.address], {
        signature: signOrder(forger, order),
      });
    });

    it("an order that was changed after it was signed, wherever it was changed", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const order = orderOf(stage, AMOUNT);
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
          output: { ...output, payments: [{ ...payment, minimumAmount: 0n }] },
        },
        "a later deadline": { ...order, output: { ...output, deadline: output.deadline + 1 } },
        "a call more": { ...order, output: { ...output, calls: ["0x12"] } },
        "another refund recipient": { ...order, inputs: [{ ...input, refunds: [refund] }] },
        "an amount and a value to match": { ...order, inputs: [inputOf(stage, AMOUNT - 1n)] },
      };
      for (const [what, changed] of Object.entries(changes)) {
        const value = what.startsWith("an amount") ? AMOUNT - 1n : AMOUNT;
        const error = await depositNative(stage, changed, value, { signature }).catch(String);
        expect(error, what).to.match(/OrderNotSignedBySolver|SignatureRecoversNobody/);
        expect(await stage.receiver.isConsumed(orderIdOf(changed)), what).to.equal(false);
      }
    });

    it("a signature of the solver over the Ethereum message of the id's text, or over a record", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const order = orderOf(stage, AMOUNT);
      const record = signRecord(solver, {
        requestId: orderIdOf(order),
        originChainId: 31_337n,
        originUser: stage.depositor.address,
        originCurrency: ethers.ZeroAddress,
        originAmount: AMOUNT,
        destinationChainId: 42_161n,
        destinationUser: stage.recipient,
      });
      const wrong = [solver.signMessageSync(orderIdOf(order)), record];
      wrong.push(solver.signingKey.sign(orderIdOf(order)).serialized);
      for (const signature of wrong) {
        const error = await depositNative(stage, order, AMOUNT, { signature }).catch(String);
        expect(error).to.match(/OrderNotSignedBySolver|SignatureRecoversNobody/);
      }
    });

    it("signatures that are mirrored, too short or empty, by name", async () => {
      const stage = await networkHelpers.loadFixture(stageOnly);
      const order = orderOf(stage, AMOUNT);
      const signature = mirroredSignature(signOrder(solver, order));
      const s = ethers.dataSlice(signature, 32, 64);
      await expectRefusal(stage, order, "SignatureSTooHigh", [s], { signature });
      await expectRefusal(stage, order, "SignatureLengthInvalid", [0], { signature: "0x" });
      await expectRefusal(stage, order, "SignatureRecoversNobody", [], { signature: `0x${"00".repeat(65)}` });
    });
  });

  it("proofs where there is no allow-list", async () => {
    const stage = await networkHelpers.loadFixture(stageOnly);
    await expectRefusal(stage, orderOf(stage, AMOUNT), "RecipientProofCountMismatch", [1, 0], {
      proofs: [[]],
    });
  });

  describe("to lose money at a depository", () => {
    it("that rejects it, with its reason", async () => {
      const rejecting = await ethers.deployContract("RejectingRecipient");
      const stage = await deployOrderStage(ethers, ethers.ZeroHash, rejecting);
      const reason = rejecting.interface.encodeErrorResult("Rejected", [AMOUNT]);
      const args = [await rejecting.getAddress(), reason];
      await expectRefusal(stage, orderOf(stage, AMOUNT), "DepositoryRejected", args);
    });

    it("that reverts with a huge buffer, of which it copies little", async () => {
      const bomb = await ethers.deployContract("ReturndataBomb", [200_000n, true]);
      const stage = await deployOrderStage(ethers, ethers.ZeroHash, bomb);
      const args = [await bomb.getAddress(), ethers.hexlify(new Uint8Array(MAX_REASON_BYTES))];
      await expectRefusal(stage, orderOf(stage, AMOUNT), "DepositoryRejected", args);
    });
  });
});
