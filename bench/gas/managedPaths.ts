import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { dataSlice, MaxUint256, toQuantity, ZeroAddress } from "ethers";
import {
  Binding,
  coSigner,
  DESTINATION_CHAIN_ID,
  deposit,
  depositErc20,
  type ReceiverStage,
  receiverStageOf,
  type SignedTerms,
  signTerms,
  solver,
  type TermsFields,
} from "../../test/helpers/contracts/receiverStage.ts";
import { padded, requestIdOf, testWallet } from "../../test/helpers/contracts/signedRecord.ts";
import type { ManagedReceiver } from "../../typechain-types/index.ts";
import { lifetime, type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";
import { hasZeroByte } from "./zeroBytes.ts";

/** About 0.7 ether, without zero bytes. */
const AMOUNT = 0x09b6_e64a_8ec6_1234n;

const LIMITS = [{ currency: ZeroAddress, minimum: 10n ** 16n, maximum: 100n * 10n ** 18n }];

type ManagedStage = ReceiverStage<ManagedReceiver>;

/** A receiver with every policy on, that accepts native currency within the limits for one recipient. */
async function deployManaged(ethers: HardhatEthers): Promise<ManagedStage> {
  return receiverStageOf(ethers, (owner) =>
    ethers.deployContract("ManagedReceiver", [
      {
        owner,
        binding: Binding.Receiver,
        activationDelay: 86_400n,
        coSigner: coSigner.address,
        isRecipientListOpen: false,
        solvers: [{ solver: solver.address, nativePayee: solver.address, usesErc1271: false }],
        limits: LIMITS,
      },
    ]),
  );
}

/** Deploys receivers until the address has no zero byte: the record contains it. */
async function deployStage(ethers: HardhatEthers): Promise<ManagedStage> {
  const recipient = testWallet(3).address;
  const recipients = [{ chainId: DESTINATION_CHAIN_ID, account: padded(recipient) }];
  for (;;) {
    const stage = await deployManaged(ethers);
    if (hasZeroByte(await stage.receiver.getAddress())) continue;
    await stage.receiver.setRecipients(recipients, true);
    return { ...stage, recipient };
  }
}

/** Tries request ids until the signatures have no zero byte: the most expensive calldata. */
async function dearestTerms(stage: ManagedStage, fields: TermsFields, run: number): Promise<SignedTerms> {
  for (let attempt = 0; ; attempt++) {
    const until = { lifetime: await lifetime(stage.ethers), requestNumber: 1_000 * run + attempt };
    const terms = await signTerms(stage, { ...fields, ...until });
    // The deadline between the two signatures is a word with leading zeros.
    const signatures = [dataSlice(terms.signature, 0, 65), dataSlice(terms.signature, -64)];
    if (![...Object.values(terms.record), ...signatures].some(hasZeroByte)) return terms;
  }
}

export const managedNativeDeposit: Path = async (ethers) => {
  const stage = await deployStage(ethers);
  const send: Sending = async (run) => deposit(stage, await dearestTerms(stage, { amount: AMOUNT }, run));
  return { ours: [stage.receiver], send };
};

/**
 * The longest calldata of a deposit within limits: an amount of ten bytes (the highest native limit), a chain id of four, and
 * an account of 32 (SVM).
 */
export const longestManagedNativeDeposit: Path = async (ethers) => {
  const [amount, chainId] = [0xe111_1111_1111_1111_1111n, 0x2f3f_9a19n];
  const recipient = requestIdOf(0);
  const stage = { ...(await deployStage(ethers)), recipient };
  await stage.receiver.setRecipients([{ chainId, account: recipient }], true);
  const maximum = 1_099_511n * 10n ** 18n;
  await stage.receiver.setCurrencyLimits({ currency: ZeroAddress, minimum: 10n ** 16n, maximum });
  await ethers.provider.send("hardhat_setBalance", [stage.depositor.address, toQuantity(10n * amount)]);
  const send: Sending = async (run) =>
    deposit(stage, await dearestTerms(stage, { amount, record: { destinationChainId: chainId } }, run));
  return { ours: [stage.receiver], send };
};

export const managedErc20Deposit: Path = async (ethers) => {
  const stage = await deployStage(ethers);
  const token = await ethers.deployContract("PlainToken");
  await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
  await stage.receiver.setCurrencyLimits({ currency: token, minimum: 10n ** 6n, maximum: 10n ** 12n });
  await token.mint(stage.depositor, TOKEN_AMOUNT * 10n);
  const send: Sending = async (run) => {
    const fields = { amount: TOKEN_AMOUNT, currency: token };
    return depositErc20(stage, await dearestTerms(stage, fields, run));
  };
  return { ours: [stage.receiver], send };
};
