import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { PERMIT2_ADDRESS, placePermit2 } from "../../test/helpers/contracts/permit2.ts";
import { deployPinnedStage, signTerms } from "../../test/helpers/contracts/receiverStage.ts";
import {
  byAuthorization,
  byPermit,
  byPermit2,
  pay,
  type SignedWay,
  signAuthorizationOf,
  signPermitOf,
  signTransferOf,
  type TokenDeposit,
} from "../../test/helpers/contracts/signedWays.ts";
import { deployLocalToken, type TestToken } from "../../test/helpers/contracts/tokens.ts";
import { DEADLINE, type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";

const amount = TOKEN_AMOUNT;
const deadline = BigInt(DEADLINE);

/** Sends deposits of a funded depositor; `sign` signs the depositor's part of each. */
async function signedPath(
  ethers: HardhatEthers,
  token: TestToken,
  way: SignedWay,
  sign: (deposit: TokenDeposit, run: number) => Promise<unknown>,
) {
  const stage = await deployPinnedStage(ethers);
  await token.mint(stage.depositor.address, amount * 10n);
  const send: Sending = async (run) => {
    const terms = await signTerms(stage, { amount, currency: token, requestNumber: run });
    const deposit = { stage, terms, token };
    return pay(deposit, way.name, await sign(deposit, run), { amount });
  };
  return { ours: [stage.receiver], send, stage };
}

/** The allowance is exactly the amount, so each payment sets the slot and gets a refund for clearing it. */
export const permitDeposit: Path = async (ethers) => {
  const token = await deployLocalToken(ethers);
  return signedPath(ethers, token, byPermit, (deposit) => signPermitOf(deposit, { deadline, value: amount }));
};

/** Permit2 has an unlimited allowance; both nonces are bits of one word. */
export const permit2Deposit: Path = async (ethers) => {
  await placePermit2(ethers);
  const token = (await ethers.deployContract("PlainToken")) as unknown as TestToken;
  const path = await signedPath(ethers, token, byPermit2, (deposit, run) =>
    signTransferOf(deposit, { amount, deadline, nonce: BigInt(run) }),
  );
  await token.connect(path.stage.depositor).approve(PERMIT2_ADDRESS, ethers.MaxUint256);
  return path;
};

/** The nonce is the hash of the payment, so each payment uses a new slot of the token. */
export const authorizationDeposit: Path = async (ethers) => {
  const token = await byAuthorization.deployToken(ethers);
  return signedPath(ethers, token, byAuthorization, (deposit) =>
    signAuthorizationOf(deposit, { validBefore: deadline, value: amount }),
  );
};
