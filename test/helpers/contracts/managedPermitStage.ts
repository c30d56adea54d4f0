import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { type ContractTransactionResponse, MaxUint256 } from "ethers";
import type {
  AuthorizationToken,
  LocalToken,
  ManagedReceiverPermits,
} from "../../../typechain-types/index.ts";
import {
  type Account,
  AMOUNT,
  type Configuration,
  MAX_UINT128,
  type ManagedStage,
  type ManagedTerms,
  managedConfiguration,
  managedStageOf,
  managedTerms,
} from "./managedStage.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "./permit2.ts";
import {
  type AuthorizationFields,
  hashWitness,
  inAnHour,
  type Permit2Fields,
  type PermitFields,
  signAuthorization,
  signPermit,
  signPermit2Transfer,
  type Witness,
} from "./permitStage.ts";
import { solver } from "./receiverStage.ts";
import type { TestToken } from "./tokens.ts";

export interface ManagedPermitStage extends ManagedStage {
  readonly receiver: ManagedReceiverPermits;
}

/** A receiver, a token it accepts, of which the depositor has twice the amount, and terms for the amount. */
export interface PermitSetting<Token extends TestToken = TestToken> {
  readonly stage: ManagedPermitStage;
  readonly token: Token;
  readonly terms: ManagedTerms;
}

export async function deployManagedPermitStage(
  ethers: HardhatEthers,
  overrides: Partial<Configuration> = {},
): Promise<ManagedPermitStage> {
  return managedStageOf(ethers, (owner) =>
    ethers.deployContract("ManagedReceiverPermits", [managedConfiguration(owner, overrides)]),
  );
}

export async function settingOf<Token extends TestToken>(
  ethers: HardhatEthers,
  token: Token,
  overrides: Partial<Configuration> = {},
): Promise<PermitSetting<Token>> {
  const stage = await deployManagedPermitStage(ethers, overrides);
  await stage.receiver.setCurrencyLimits({ currency: token, minimum: 0n, maximum: MAX_UINT128 });
  await token.mint(stage.depositor.address, 2n * AMOUNT);
  return { stage, token, terms: await managedTerms(stage, { currency: token }) };
}

/** What the depositor, the solver and the receiver have. */
export async function balancesOf({ stage, token }: PermitSetting): Promise<bigint[]> {
  const holders = [stage.depositor.address, solver.address, await stage.receiver.getAddress()];
  return Promise.all(holders.map((holder) => token.balanceOf(holder)));
}

/** What an owner of tokens signs this payment for. */
export async function depositWitnessOf({ stage, terms }: PermitSetting): Promise<Witness> {
  const { requestId, destinationChainId, destinationUser } = terms.record;
  return { requestId, destinationChainId, destinationUser, receiver: await stage.receiver.getAddress() };
}

/** Who calls, and what is said to be sent; the depositor and the amount unless told otherwise. */
export interface Sending {
  readonly caller?: Account;
  readonly amount?: bigint;
}

export async function permitOf(
  { stage, token }: PermitSetting,
  { owner = stage.depositor, ...changes }: Partial<Omit<PermitFields, "owner">> & { owner?: Account } = {},
) {
  const asToken = token as unknown as LocalToken;
  const domain = { address: await token.getAddress(), name: await asToken.name() };
  return signPermit(stage.ethers, owner, domain, {
    owner: owner.address,
    spender: await stage.receiver.getAddress(),
    value: AMOUNT,
    nonce: await asToken.nonces(owner.address),
    deadline: await inAnHour(stage.ethers),
    ...changes,
  });
}

export type Permit = Awaited<ReturnType<typeof permitOf>>;

export async function payWithPermit(
  { stage, token, terms }: PermitSetting,
  permit: Permit,
  { caller = stage.depositor, amount = AMOUNT }: Sending = {},
): Promise<ContractTransactionResponse> {
  const { record, signature, coSignature } = terms;
  return stage.receiver
    .connect(caller)
    .depositErc20WithPermit(token, amount, record, signature, coSignature, permit);
}

/** Puts Permit2 at its address; the depositor approves it for ever. */
export async function approvePermit2({ stage, token }: PermitSetting) {
  const permit2 = await placePermit2(stage.ethers);
  await token.connect(stage.depositor).approve(PERMIT2_ADDRESS, MaxUint256);
  return permit2;
}

/** The depositor's signed transfer for exactly this payment, unless something else is asked for. */
export async function transferOf(
  setting: PermitSetting,
  { owner = setting.stage.depositor, ...changes }: Partial<Permit2Fields> & { owner?: Account } = {},
) {
  const { stage, token } = setting;
  const fields = {
    token: await token.getAddress(),
    amount: AMOUNT,
    spender: await stage.receiver.getAddress(),
    nonce: 7n,
    deadline: await inAnHour(stage.ethers),
    witness: await depositWitnessOf(setting),
    ...changes,
  };
  const signature = await signPermit2Transfer(stage.ethers, owner, fields);
  return { owner: stage.depositor.address, nonce: fields.nonce, deadline: fields.deadline, signature };
}

export type Transfer = Awaited<ReturnType<typeof transferOf>>;

export async function payWithPermit2(
  { stage, token, terms }: PermitSetting,
  transfer: Transfer,
  { caller = stage.depositor, amount = AMOUNT }: Sending = {},
): Promise<ContractTransactionResponse> {
  const { record, signature, coSignature } = terms;
  return stage.receiver
    .connect(caller)
    .depositErc20WithPermit2(token, amount, record, signature, coSignature, transfer);
}

/** The depositor's authorization for exactly this payment, unless something else is asked for. */
export async function authorizationOf(
  setting: PermitSetting,
  { signer = setting.stage.depositor, ...changes }: Partial<AuthorizationFields> & { signer?: Account } = {},
) {
  const { stage, token } = setting;
  const name = await (token as unknown as AuthorizationToken).name();
  const domain = { address: await token.getAddress(), name };
  return signAuthorization(stage.ethers, signer, domain, {
    from: stage.depositor.address,
    to: await stage.receiver.getAddress(),
    value: AMOUNT,
    validAfter: 0n,
    validBefore: await inAnHour(stage.ethers),
    nonce: hashWitness(await depositWitnessOf(setting)),
    ...changes,
  });
}

export type Authorization = Awaited<ReturnType<typeof authorizationOf>>;

export async function payWithAuthorization(
  { stage, token, terms }: PermitSetting,
  authorization: Authorization,
  { caller = stage.depositor, amount = AMOUNT }: Sending = {},
): Promise<ContractTransactionResponse> {
  const { record, signature, coSignature } = terms;
  return stage.receiver
    .connect(caller)
    .depositErc20WithAuthorization(token, amount, record, signature, coSignature, authorization);
}
