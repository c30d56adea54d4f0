import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { Order } from "../../src/records/Order.ts";
import {
  deployOrderStage,
  depositErc20,
  depositNative,
  type OrderStage,
  orderOf,
} from "../../test/helpers/contracts/orderStage.ts";
import { fund } from "../../test/helpers/contracts/orderTokens.ts";
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
  const send: Sending = async (run) =>
    depositNative(stage, publishedOrder(stage, run, NATIVE_AMOUNT), NATIVE_AMOUNT);
  return { ours: [stage.receiver], send };
};

export const orderErc20Deposit: Path = async (ethers) => {
  const stage = await stageOf(ethers);
  const token = await ethers.deployContract("PlainToken");
  await fund(stage, token);
  await token.mint(stage.depositor, TOKEN_AMOUNT * 10n);
  const currency = (await token.getAddress()).toLowerCase();
  const send: Sending = async (run) =>
    depositErc20(stage, publishedOrder(stage, run, TOKEN_AMOUNT, currency), token, TOKEN_AMOUNT);
  return { ours: [stage.receiver], send };
};
