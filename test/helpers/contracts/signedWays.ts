import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { type Addressable, type ContractTransactionResponse, Interface, MaxUint256 } from "ethers";
import type { AuthorizationToken, LocalToken } from "../../../typechain-types/index.ts";
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
} from "./ownerSignatures.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "./permit2.ts";
import {
  type Account,
  AMOUNT,
  DESTINATION_CHAIN_ID,
  deployPinnedStage,
  type ReceiverStage,
  type SignedTerms,
  signedArgs,
  signTerms,
  solver,
} from "./receiverStage.ts";
import { deployLocalToken, type TestToken } from "./tokens.ts";

/** A payment of `AMOUNT` that the receiver accepts; the depositor has twice the amount and has approved no spender. */
export interface TokenDeposit {
  readonly stage: ReceiverStage;
  readonly token: TestToken;
  readonly terms: SignedTerms;
}

/** A payment in a token to a new receiver. */
export async function prepare(ethers: HardhatEthers, token: TestToken): Promise<TokenDeposit> {
  const stage = await deployPinnedStage(ethers);
  await token.mint(stage.depositor.address, 2n * AMOUNT);
  return { stage, token, terms: await signTerms(stage, { currency: token }) };
}

/** The same payment for request 2. */
export async function another(deposit: TokenDeposit): Promise<TokenDeposit> {
  const terms = await signTerms(deposit.stage, { currency: deposit.token, requestNumber: 2 });
  return { ...deposit, terms };
}

/** Fields that a depositor's signature for a payment covers. */
export async function witnessOf({ stage, terms: { record } }: TokenDeposit): Promise<Witness> {
  const { requestId, destinationChainId, destinationUser } = record;
  return { requestId, destinationChainId, destinationUser, receiver: await stage.receiver.getAddress() };
}

/** Calls a deposit function of the receiver with the depositor's signature. */
export async function pay(
  { stage, token, terms }: TokenDeposit,
  way: SignedWay["name"],
  signed: unknown,
  { caller = stage.depositor, amount = AMOUNT }: { caller?: Account; amount?: bigint } = {},
): Promise<ContractTransactionResponse> {
  const args = [await token.getAddress(), amount, ...signedArgs(terms), signed as string];
  return stage.receiver.connect(caller).getFunction(way as string)(...args);
}

/** Tokens of the depositor, the solver and the receiver. */
export async function balancesOf({ stage, token }: TokenDeposit): Promise<bigint[]> {
  const holders: (string | Addressable)[] = [stage.depositor.address, solver.address, stage.receiver];
  return Promise.all(holders.map((holder) => token.balanceOf(holder)));
}

type By = { readonly signer?: Account };

/** The depositor's permit of the amount for the receiver, with `changes` applied. */
export async function signPermitOf(
  { stage: { ethers, depositor, receiver }, token }: TokenDeposit,
  { signer = depositor, ...changes }: Partial<PermitFields> & By = {},
) {
  const asToken = token as unknown as LocalToken;
  const domain = { address: await token.getAddress(), name: await asToken.name() };
  return signPermit(ethers, signer, domain, {
    owner: signer.address,
    spender: await receiver.getAddress(),
    value: AMOUNT,
    nonce: await asToken.nonces(signer.address),
    deadline: await inAnHour(ethers),
    ...changes,
  });
}

/** The depositor's Permit2 transfer for exactly this payment, with `changes` applied. */
export async function signTransferOf(
  deposit: TokenDeposit,
  { signer = deposit.stage.depositor, ...changes }: Partial<Permit2Fields> & By = {},
) {
  const { ethers, depositor } = deposit.stage;
  const witness = await witnessOf(deposit);
  const fields = {
    token: await deposit.token.getAddress(),
    amount: AMOUNT,
    spender: witness.receiver,
    nonce: 7n,
    deadline: await inAnHour(ethers),
    witness,
    ...changes,
  };
  const signature = await signPermit2Transfer(ethers, signer, fields);
  return { owner: depositor.address, nonce: fields.nonce, deadline: fields.deadline, signature };
}

/** The depositor's ERC-3009 authorization for exactly this payment, with `changes` applied. */
export async function signAuthorizationOf(
  deposit: TokenDeposit,
  {
    signer = deposit.stage.depositor,
    primaryType,
    tokenName,
    ...changes
  }: Partial<AuthorizationFields> & By & { primaryType?: string; tokenName?: string } = {},
) {
  const { ethers, depositor } = deposit.stage;
  const witness = await witnessOf(deposit);
  const name = tokenName ?? (await (deposit.token as unknown as AuthorizationToken).name());
  const domain = { address: await deposit.token.getAddress(), name };
  const fields = {
    from: depositor.address,
    to: witness.receiver,
    value: AMOUNT,
    validAfter: 0n,
    validBefore: await inAnHour(ethers),
    nonce: hashWitness(witness),
    ...changes,
  };
  return signAuthorization(ethers, signer, domain, fields, primaryType);
}

type IsReason = (data: string) => boolean;

/** A signature for another payment, and its rejection by the token or Permit2. */
interface WrongSignature {
  readonly what: string;
  sign(deposit: TokenDeposit): Promise<unknown>;
  /** Whether revert data is the token's or Permit2's reason. */
  isReason(data: string): boolean;
}

/** A way to pay by signature. */
export interface SignedWay {
  readonly name: "depositErc20WithPermit" | "depositErc20WithPermit2" | "depositErc20WithAuthorization";
  readonly refusal: "PermitRefused" | "Permit2TransferRefused" | "AuthorizationRefused";
  /** Arguments of the refusal, in which the reason comes last. */
  refusalOf(deposit: TokenDeposit, isReason: IsReason): Promise<readonly unknown[]>;
  /** Path of the token to the solver. */
  readonly movesBy: "transfer" | "transferFrom";
  deployToken(ethers: HardhatEthers): Promise<TestToken>;
  /** Gives the approvals that the signature does not replace. */
  approve(deposit: TokenDeposit): Promise<void>;
  sign(deposit: TokenDeposit): Promise<unknown>;
  readonly wrong: readonly WrongSignature[];
}

const errors = new Interface([
  "error ERC2612ExpiredSignature(uint256 deadline)",
  "error ERC2612InvalidSigner(address signer, address owner)",
  "error ERC3009InvalidSignature()",
  "error ERC3009InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore)",
  "error InvalidSigner()",
  "error SignatureExpired(uint256 signatureDeadline)",
]);

function exactly(error: string, args: readonly unknown[] = []): IsReason {
  const expected = errors.encodeErrorResult(error, args);
  return (data) => data === expected;
}

/** Matches the named error with any recovered account. */
function named(error: string): IsReason {
  return (data) => errors.parseError(data)?.name === error;
}

const otherWitnesses: readonly (readonly [string, Partial<Witness>])[] = [
  ["for another request", { requestId: `0x${"11".repeat(32)}` }],
  ["for another destination chain", { destinationChainId: DESTINATION_CHAIN_ID + 1n }],
  ["for another recipient", { destinationUser: `0x${"22".repeat(32)}` }],
  ["for another receiver", { receiver: solver.address }],
];
const otherAmounts = [AMOUNT - 1n, AMOUNT + 1n];

async function changed(deposit: TokenDeposit, change: Partial<Witness>): Promise<Witness> {
  return { ...(await witnessOf(deposit)), ...change };
}

type ChangesOf<Changes> = (deposit: TokenDeposit) => Changes | Promise<Changes>;

function wrong<Changes extends object>(
  sign: (deposit: TokenDeposit, changes: Changes) => Promise<unknown>,
  isReason: IsReason,
  cases: readonly (readonly [what: string, changes: Changes | ChangesOf<Changes>])[],
): readonly WrongSignature[] {
  return cases.map(([what, changes]) => ({
    what,
    sign: async (deposit) => sign(deposit, typeof changes === "function" ? await changes(deposit) : changes),
    isReason,
  }));
}

type PermitChanges = NonNullable<Parameters<typeof signPermitOf>[1]>;
type Transfer = NonNullable<Parameters<typeof signTransferOf>[1]>;
type Authorization = NonNullable<Parameters<typeof signAuthorizationOf>[1]>;

export const byPermit: SignedWay = {
  name: "depositErc20WithPermit",
  refusal: "PermitRefused",
  refusalOf: async ({ token }, isReason) => [await token.getAddress(), 0n, AMOUNT, isReason],
  movesBy: "transferFrom",
  deployToken: async (ethers) => deployLocalToken(ethers),
  approve: async () => undefined,
  sign: async (deposit) => signPermitOf(deposit),
  wrong: [
    ...wrong<PermitChanges>(signPermitOf, exactly("ERC2612ExpiredSignature", [1n]), [
      ["that has expired", { deadline: 1n }],
    ]),
    ...wrong<PermitChanges>(signPermitOf, named("ERC2612InvalidSigner"), [
      ["of another account", ({ stage }) => ({ signer: stage.stranger })],
      ["for another spender", { spender: solver.address }],
    ]),
  ],
};

export const byPermit2: SignedWay = {
  name: "depositErc20WithPermit2",
  refusal: "Permit2TransferRefused",
  refusalOf: async ({ stage }, isReason) => [stage.depositor.address, isReason],
  movesBy: "transfer",
  deployToken: async (ethers) => deployLocalToken(ethers),
  approve: async ({ stage, token }) => {
    await placePermit2(stage.ethers);
    await token.connect(stage.depositor).approve(PERMIT2_ADDRESS, MaxUint256);
  },
  sign: async (deposit) => signTransferOf(deposit),
  wrong: [
    ...wrong<Transfer>(signTransferOf, exactly("InvalidSigner"), [
      ...otherWitnesses.map(
        ([what, change]) =>
          [what, async (deposit: TokenDeposit) => ({ witness: await changed(deposit, change) })] as const,
      ),
      ...otherAmounts.map((amount) => [`over ${amount} instead of ${AMOUNT}`, { amount }] as const),
      ["of another account", ({ stage }) => ({ signer: stage.stranger })],
      ["for another spender", { spender: solver.address }],
      ["for another token", { token: solver.address }],
    ]),
    ...wrong<Transfer>(signTransferOf, exactly("SignatureExpired", [1n]), [
      ["that has expired", { deadline: 1n }],
    ]),
  ],
};

export const byAuthorization: SignedWay = {
  name: "depositErc20WithAuthorization",
  refusal: "AuthorizationRefused",
  refusalOf: async ({ stage, token }, isReason) => [
    await token.getAddress(),
    stage.depositor.address,
    isReason,
  ],
  movesBy: "transfer",
  deployToken: async (ethers) => (await ethers.deployContract("AuthorizationToken")) as unknown as TestToken,
  approve: async () => undefined,
  sign: async (deposit) => signAuthorizationOf(deposit),
  wrong: [
    ...wrong<Authorization>(signAuthorizationOf, exactly("ERC3009InvalidSignature"), [
      ...otherWitnesses.map(
        ([what, change]) =>
          [
            what,
            async (deposit: TokenDeposit) => ({ nonce: hashWitness(await changed(deposit, change)) }),
          ] as const,
      ),
      ...otherAmounts.map((value) => [`over ${value} instead of ${AMOUNT}`, { value }] as const),
      ["of another account", ({ stage }) => ({ signer: stage.stranger })],
      ["for another payee", { to: solver.address }],
      ["of a transfer that any account could bring", { primaryType: "TransferWithAuthorization" }],
    ]),
    ...wrong<Authorization>(signAuthorizationOf, exactly("ERC3009InvalidAuthorizationTime", [0n, 1n]), [
      ["that has expired", { validBefore: 1n }],
    ]),
    ...wrong<Authorization>(
      signAuthorizationOf,
      exactly("ERC3009InvalidAuthorizationTime", [2n ** 40n, 2n ** 41n]),
      [["that is not valid yet", { validAfter: 2n ** 40n, validBefore: 2n ** 41n }]],
    ),
  ],
};

export const signedWays: readonly SignedWay[] = [byPermit, byPermit2, byAuthorization];
