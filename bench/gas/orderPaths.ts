import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import {
  deployOrderStage,
  depositErc20,
  depositNative,
  orderOf,
} from "../../test/helpers/contracts/orderStage.ts";
import { fund } from "../../test/helpers/contracts/orderTokens.ts";
import { DEADLINE, NATIVE_AMOUNT, type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";

async function stageOf(ethers: HardhatEthers) {
  return { ...(await deployOrderStage(ethers)), deadline: DEADLINE };
}

export const orderNativeDeposit: Path = async (ethers) => {
  const stage = await stageOf(ethers);
  const send: Sending = async (run) =>
    depositNative(stage, orderOf(stage, NATIVE_AMOUNT, undefined, BigInt(run)), NATIVE_AMOUNT);
  return { ours: [stage.receiver], send };
};

export const orderErc20Deposit: Path = async (ethers) => {
  const stage = await stageOf(ethers);
  const token = await ethers.deployContract("PlainToken");
  await fund(stage, token);
  await token.mint(stage.depositor, TOKEN_AMOUNT * 10n);
  const currency = (await token.getAddress()).toLowerCase();
  const send: Sending = async (run) =>
    depositErc20(stage, orderOf(stage, TOKEN_AMOUNT, currency, BigInt(run)), token, TOKEN_AMOUNT);
  return { ours: [stage.receiver], send };
};
