import { MaxUint256 } from "ethers";
import { PERMIT2_ADDRESS, placePermit2 } from "../../test/helpers/contracts/permit2.ts";
import {
  deployPermitStage,
  hashWitness,
  signAuthorization,
  signPermit,
  signPermit2Transfer,
  witnessOf,
} from "../../test/helpers/contracts/permitStage.ts";
import { DESTINATION_CHAIN_ID, signTerms } from "../../test/helpers/contracts/receiverStage.ts";
import { deployToken } from "../../test/helpers/contracts/tokens.ts";
import { DEADLINE, type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";

/** The allowance is exactly the amount, so each payment sets the slot and gets a refund for clearing it. */
export const permitDeposit: Path = async (ethers) => {
  const stage = await deployPermitStage(ethers);
  const token = await deployToken(ethers, "LocalToken");
  await token.mint(stage.depositor.address, TOKEN_AMOUNT * 10n);
  const domain = { address: await token.getAddress(), name: "Local Dollar" };
  const send: Sending = async (run) => {
    const terms = await signTerms(stage, TOKEN_AMOUNT, token, run);
    const permit = await signPermit(ethers, stage.depositor, domain, {
      owner: stage.depositor.address,
      spender: await stage.receiver.getAddress(),
      value: TOKEN_AMOUNT,
      nonce: BigInt(run - 1),
      deadline: BigInt(DEADLINE),
    });
    return stage.receiver
      .connect(stage.depositor)
      .depositErc20WithPermit(
        token,
        TOKEN_AMOUNT,
        terms.requestId,
        DESTINATION_CHAIN_ID,
        terms.destinationUser,
        terms.signature,
        permit,
      );
  };
  return { ours: [stage.receiver], send };
};

/** Permit2 has an unlimited allowance; both nonces are bits of one word. */
export const permit2Deposit: Path = async (ethers) => {
  await placePermit2(ethers);
  const stage = await deployPermitStage(ethers);
  const token = await ethers.deployContract("PlainToken");
  await token.mint(stage.depositor.address, TOKEN_AMOUNT * 10n);
  await token.connect(stage.depositor).approve(PERMIT2_ADDRESS, MaxUint256);
  const send: Sending = async (run) => {
    const terms = await signTerms(stage, TOKEN_AMOUNT, token, run);
    const fields = {
      token: await token.getAddress(),
      amount: TOKEN_AMOUNT,
      spender: await stage.receiver.getAddress(),
      nonce: BigInt(run),
      deadline: BigInt(DEADLINE),
      witness: await witnessOf(stage, terms),
    };
    const signature = await signPermit2Transfer(ethers, stage.depositor, fields);
    const { nonce, deadline } = fields;
    return stage.receiver
      .connect(stage.depositor)
      .depositErc20WithPermit2(
        token,
        TOKEN_AMOUNT,
        terms.requestId,
        DESTINATION_CHAIN_ID,
        terms.destinationUser,
        terms.signature,
        { owner: stage.depositor.address, nonce, deadline, signature },
      );
  };
  return { ours: [stage.receiver], send };
};

/** The nonce is the hash of the payment, so each payment uses a new slot of the token. */
export const authorizationDeposit: Path = async (ethers) => {
  const stage = await deployPermitStage(ethers);
  const token = await ethers.deployContract("AuthorizationToken");
  await token.mint(stage.depositor.address, TOKEN_AMOUNT * 10n);
  const domain = { address: await token.getAddress(), name: "Authorization" };
  const send: Sending = async (run) => {
    const terms = await signTerms(stage, TOKEN_AMOUNT, token, run);
    const authorization = await signAuthorization(ethers, stage.depositor, domain, {
      from: stage.depositor.address,
      to: await stage.receiver.getAddress(),
      value: TOKEN_AMOUNT,
      validAfter: 0n,
      validBefore: BigInt(DEADLINE),
      nonce: hashWitness(await witnessOf(stage, terms)),
    });
    return stage.receiver
      .connect(stage.depositor)
      .depositErc20WithAuthorization(
        token,
        TOKEN_AMOUNT,
        terms.requestId,
        DESTINATION_CHAIN_ID,
        terms.destinationUser,
        terms.signature,
        authorization,
      );
  };
  return { ours: [stage.receiver], send };
};
