import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { MaxUint256 } from "ethers";
import type { Order } from "../../src/records/Order.ts";
import { deployOrderStage, type OrderStage, orderOf } from "../../test/helpers/contracts/orderStage.ts";
import { solver } from "../../test/helpers/contracts/receiverStage.ts";
import { orderStruct, signOrder } from "../../test/helpers/contracts/signedOrder.ts";
import { DEADLINE, NATIVE_AMOUNT, type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";

/** From the production order in `test/vectors/order-base-arbitrum.json`. */
const SALT = 0xd286b86b54a2a3d4eaa99814ea4652cd4790e6ebeaf9c802586514a52dd281c9n;
const EXTRA_DATA = "0x000000000000000000000000b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f";
const OUTPUT_TOKEN = "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9";

/** An order of that shape: full salt, a token as output, the fill contract in both refunds and in the output. */
function publishedOrder(stage: OrderStage, run: number, amount: bigint, currency?: string): Order {
  const order = orderOf(stage, amount, currency, SALT + BigInt(run));
  return {
    ...order,
    inputs: order.inputs.map((input) => ({
      ...input,
      refunds: input.refunds.map((refund, index) => ({
        ...refund,
        ...(index === 1 && { currency: OUTPUT_TOKEN }),
        extraData: EXTRA_DATA,
      })),
    })),
    output: {
      ...order.output,
      extraData: EXTRA_DATA,
      payments: order.output.payments.map((payment) => ({ ...payment, currency: OUTPUT_TOKEN })),
    },
  };
}

async function stageOf(ethers: HardhatEthers) {
  return { ...(await deployOrderStage(ethers)), deadline: DEADLINE };
}

export const orderNativeDeposit: Path = async (ethers) => {
  const stage = await stageOf(ethers);
  const receiver = stage.receiver.connect(stage.depositor);
  const send: Sending = async (run) => {
    const order = publishedOrder(stage, run, NATIVE_AMOUNT);
    return receiver.deposit(orderStruct(order), 0, signOrder(solver, order), { value: NATIVE_AMOUNT });
  };
  return { ours: [stage.receiver], send };
};

export const orderErc20Deposit: Path = async (ethers) => {
  const stage = await stageOf(ethers);
  const token = await ethers.deployContract("PlainToken");
  await token.mint(stage.depositor, TOKEN_AMOUNT * 10n);
  await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
  const currency = (await token.getAddress()).toLowerCase();
  const receiver = stage.receiver.connect(stage.depositor);
  const send: Sending = async (run) => {
    const order = publishedOrder(stage, run, TOKEN_AMOUNT, currency);
    return receiver.depositErc20(token, TOKEN_AMOUNT, orderStruct(order), 0, signOrder(solver, order));
  };
  return { ours: [stage.receiver], send };
};
