import {
  accept,
  deployManagedStage,
  deposit,
  depositErc20,
  managedTerms,
} from "../../test/helpers/contracts/managedStage.ts";
import { lifetime, NATIVE_AMOUNT, type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";

export const managedNativeDeposit: Path = async (ethers) => {
  const stage = await deployManagedStage(ethers);
  const send: Sending = async (run) => {
    const fields = { amount: NATIVE_AMOUNT, lifetime: await lifetime(ethers), requestNumber: run };
    return deposit(stage, await managedTerms(stage, fields), NATIVE_AMOUNT);
  };
  return { ours: [stage.receiver], send };
};

export const managedErc20Deposit: Path = async (ethers) => {
  const stage = await deployManagedStage(ethers);
  const token = await ethers.deployContract("PlainToken");
  await accept(stage, token);
  await token.mint(stage.depositor, TOKEN_AMOUNT * 10n);
  const send: Sending = async (run) => {
    const fields = { amount: TOKEN_AMOUNT, lifetime: await lifetime(ethers), requestNumber: run };
    const terms = await managedTerms(stage, { ...fields, currency: token });
    return depositErc20(stage, terms, token, TOKEN_AMOUNT);
  };
  return { ours: [stage.receiver], send };
};
