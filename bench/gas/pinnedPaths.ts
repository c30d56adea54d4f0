import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { MaxUint256, ZeroAddress } from "ethers";
import { DESTINATION_CHAIN_ID } from "../../test/helpers/contracts/receiverStage.ts";
import { padded, requestIdOf, signRecord, testWallet } from "../../test/helpers/contracts/signedRecord.ts";
import { NATIVE_AMOUNT, type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";

async function deployStage(ethers: HardhatEthers) {
  const [depositor, recipient] = await ethers.getSigners();
  if (!depositor || !recipient) throw new Error("The local chain has too few accounts.");
  const solver = testWallet(9);
  const receiver = await ethers.deployContract("PinnedReceiver", [
    solver.address,
    solver.address,
    0,
    solver.address,
  ]);
  const token = await ethers.deployContract("PlainToken");
  await token.mint(depositor, TOKEN_AMOUNT * 10n);
  await token.connect(depositor).approve(receiver, MaxUint256);
  return { depositor, ethers, receiver: receiver.connect(depositor), recipient, solver, token };
}

type Stage = Awaited<ReturnType<typeof deployStage>>;

async function recordTerms(stage: Stage, currency: string, originAmount: bigint, run: number) {
  const { chainId } = await stage.ethers.provider.getNetwork();
  const fields = {
    requestId: requestIdOf(run),
    originChainId: chainId,
    originUser: await stage.receiver.getAddress(),
    originCurrency: currency,
    originAmount,
    destinationChainId: DESTINATION_CHAIN_ID,
    destinationUser: stage.recipient.address,
  };
  return { fields, signature: signRecord(stage.solver, fields), user: padded(fields.destinationUser) };
}

export const nativeDeposit: Path = async (ethers) => {
  const stage = await deployStage(ethers);
  const send: Sending = async (run) => {
    const { fields, signature, user } = await recordTerms(stage, ZeroAddress, NATIVE_AMOUNT, run);
    const options = { value: NATIVE_AMOUNT };
    return stage.receiver.deposit(fields.requestId, DESTINATION_CHAIN_ID, user, signature, options);
  };
  return { ours: [stage.receiver], send };
};

export const erc20Deposit: Path = async (ethers) => {
  const stage = await deployStage(ethers);
  const token = await stage.token.getAddress();
  const send: Sending = async (run) => {
    const { fields, signature, user } = await recordTerms(stage, token, TOKEN_AMOUNT, run);
    const { requestId } = fields;
    return stage.receiver.depositErc20(token, TOKEN_AMOUNT, requestId, DESTINATION_CHAIN_ID, user, signature);
  };
  return { ours: [stage.receiver], send };
};
