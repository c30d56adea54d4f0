import { type BaseContract, Interface, id, MaxUint256, type Signer, ZeroAddress } from "ethers";
import { reentrancyReason } from "../libraryErrors.ts";
import { deployManagedStage, type ManagedStage } from "../managedStage.ts";
import { deposit, signTerms } from "../receiverStage.ts";
import { testWallet } from "../signedRecord.ts";
import type { TestToken } from "../tokens.ts";
import { AMOUNT, type Attempt, expectWorks } from "./attempt.ts";
import {
  type Adversary,
  adversaries,
  type Cell,
  type Chain,
  type NotApplicable,
  type Path,
} from "./matrix.ts";
import { nativeRow, noTokenCells, type PrepareNative } from "./nativeRows.ts";
import { blockedPayee, pulledOutcomes } from "./tokenOutcomes.ts";
import {
  AFTER_FEE,
  accountBlocked,
  cutTransfer,
  hasNoCode,
  type Outcome,
  type PrepareToken,
  readFailed,
  refused,
  returnedFalse,
  type TokenOutcomes,
  tokenRow,
  works,
} from "./tokenRows.ts";

/** Recipient of payouts; an account without code, until a test sets some. */
const recipient = testWallet(16).address;

interface Ledger {
  readonly stage: ManagedStage;
  readonly requestId: string;
}

/** A paid request, which can be refunded. */
async function paid({ ethers }: Chain): Promise<Ledger> {
  const stage = await deployManagedStage(ethers);
  const terms = await signTerms(stage);
  await deposit(stage, terms);
  return { stage, requestId: terms.record.requestId };
}

interface Booked {
  readonly from: Signer;
  readonly holders: readonly string[];
  readonly moved: readonly bigint[];
  /** Credit after the call. */
  readonly credited: bigint;
  readonly value?: bigint;
}

/** The compared state is the request's credit and the sum of all credits. */
async function attemptOf(
  { stage, requestId }: Ledger,
  currency: string,
  data: string,
  booked: Booked,
): Promise<Attempt> {
  const { receiver } = stage;
  const contract: BaseContract = receiver;
  return {
    contract,
    data,
    currency,
    value: 0n,
    ...booked,
    payee: recipient,
    books: async () => [await receiver.creditOf(requestId, currency), await receiver.creditedTotal(currency)],
    booksAfter: [booked.credited, booked.credited],
  };
}

/** Refunds of tokens by request id. */
const prepareRefund: PrepareToken = async (chain, token) => {
  const ledger = await paid(chain);
  const { stranger, receiver } = ledger.stage;
  await token.mint(stranger.address, 2n * AMOUNT);
  await token.connect(stranger).approve(receiver, MaxUint256);
  const currency = await token.getAddress();
  const data = receiver.interface.encodeFunctionData("refundErc20", [ledger.requestId, currency, AMOUNT]);
  return attemptOf(ledger, currency, data, {
    from: stranger,
    holders: [stranger.address, await receiver.getAddress()],
    moved: [-AMOUNT, AMOUNT],
    credited: AMOUNT,
  });
};

/** Uncredited tokens of the receiver, exactly the amount to credit or rescue. */
async function withStray(chain: Chain, token: TestToken): Promise<Ledger & { currency: string }> {
  const ledger = await paid(chain);
  await token.mint(ledger.stage.receiver, AMOUNT);
  return { ...ledger, currency: await token.getAddress() };
}

const prepareCredit: PrepareToken = async (chain, token) => {
  const ledger = await withStray(chain, token);
  const { owner, receiver } = ledger.stage;
  const amount = await token.balanceOf(receiver);
  const args: [string, string, bigint] = [ledger.requestId, ledger.currency, amount];
  return attemptOf(ledger, ledger.currency, receiver.interface.encodeFunctionData("creditRefund", args), {
    from: owner,
    holders: [await receiver.getAddress()],
    moved: [0n],
    credited: amount,
  });
};

const preparePayout =
  (call: "withdrawRefund" | "rescue"): PrepareToken =>
  async (chain, token) => {
    const ledger = await withStray(chain, token);
    const { depositor, owner, receiver } = ledger.stage;
    const { currency, requestId } = ledger;
    const amount = await token.balanceOf(receiver);
    if (call === "withdrawRefund") await receiver.creditRefund(requestId, currency, amount);
    const data =
      call === "withdrawRefund"
        ? receiver.interface.encodeFunctionData(call, [requestId, currency, recipient, amount])
        : receiver.interface.encodeFunctionData(call, [currency, recipient, amount]);
    return attemptOf(ledger, currency, data, {
      from: call === "withdrawRefund" ? depositor : owner,
      holders: [await receiver.getAddress(), recipient],
      moved: [-amount, amount],
      credited: 0n,
    });
  };

const preparePayoutNative =
  (call: "withdrawRefund" | "rescue"): PrepareNative =>
  async (chain) => {
    const ledger = await paid(chain);
    const { depositor, owner, receiver, stranger } = ledger.stage;
    await stranger.sendTransaction({
      to: receiver,
      value: AMOUNT,
      data: call === "withdrawRefund" ? ledger.requestId : "0x",
    });
    const data =
      call === "withdrawRefund"
        ? receiver.interface.encodeFunctionData(call, [ledger.requestId, ZeroAddress, recipient, AMOUNT])
        : receiver.interface.encodeFunctionData(call, [ZeroAddress, recipient, AMOUNT]);
    return attemptOf(ledger, ZeroAddress, data, {
      from: call === "withdrawRefund" ? depositor : owner,
      holders: [await receiver.getAddress(), recipient],
      moved: [-AMOUNT, AMOUNT],
      credited: 0n,
    });
  };

const paysNobody: NotApplicable = { reason: "The money stays here: no payee is called or paid." };
const paysNobodyCells = {
  "reentrant payee": paysNobody,
  "gas-burning payee": paysNobody,
  "payee that rejects ether": paysNobody,
} as const;

const refundOutcomes: TokenOutcomes = {
  ...pulledOutcomes,
  // Only the arrived amount is credited.
  fee: works({ moved: [-AMOUNT, AFTER_FEE], books: [AFTER_FEE, AFTER_FEE] }),
  rounding: works({ moved: [1n - AMOUNT, AMOUNT - 1n], books: [AMOUNT - 1n, AMOUNT - 1n] }),
  halved: works({ moved: [-2n * AMOUNT, 2n * AMOUNT] }),
  blocked: {
    who: receiverOf,
    outcome: refused("TokenTransferFailed", (token, attempt) => [token, accountBlocked(receiverOf(attempt))]),
  },
  payees: paysNobodyCells,
};

/** The holder that receives the refund. */
function receiverOf({ holders: [, receiver] }: Attempt): string {
  if (receiver === undefined) throw new Error("The attempt names no receiver.");
  return receiver;
}

/** The request exceeds the uncredited balance. */
const exceeds = (amount: bigint, there: bigint): Outcome =>
  refused("ExceedsUncredited", (token) => [token, amount, there]);

/** Only the balance is read. */
const creditOutcomes: TokenOutcomes = {
  returnsFalse: [{ functions: [true, true, true], outcome: works() }],
  fee: works(),
  rounding: works(),
  halved: exceeds(AMOUNT, AMOUNT / 2n),
  blocked: { who: ({ holders }) => holders[0] ?? "", outcome: works() },
  callsToken: false,
  bombReturns: exceeds(AMOUNT, 0n),
  bombReverts: readFailed,
  codeGone: hasNoCode,
  selfDestructs: readFailed,
  payees: paysNobodyCells,
};

/** The owner check precedes the guard. */
function callerUnauthorized(): string {
  return new Interface(["error Unauthorized()"]).encodeErrorResult("Unauthorized");
}

/** Paid out of the balance here: a transfer fee is the recipient's loss. */
export const rescueOutcomes: TokenOutcomes = {
  returnsFalse: [{ functions: [true, false, false], outcome: returnedFalse }],
  fee: works({ moved: [-AMOUNT, AFTER_FEE] }),
  // A whole number of shares is here, and leaves.
  rounding: works({ moved: [1n - AMOUNT, AMOUNT - 1n] }),
  halved: exceeds(AMOUNT, AMOUNT / 2n),
  blocked: { who: ({ payee }) => payee, outcome: blockedPayee },
  callsToken: true,
  again: callerUnauthorized,
  bombReturns: exceeds(AMOUNT, 0n),
  bombReverts: readFailed,
  codeGone: hasNoCode,
  selfDestructs: readFailed,
};

const withdrawOutcomes: TokenOutcomes = {
  ...rescueOutcomes,
  again: reentrancyReason,
  halved: refused("TokenTransferFailed", (token) => [token, isNotEnoughShares]),
  bombReturns: cutTransfer,
};

function isNotEnoughShares(reason: string): boolean {
  return reason.startsWith(id("NotEnoughShares(address,uint256,uint256)").slice(0, 10));
}

const paidOut = {
  failed: ({ payee }: Attempt, reason: unknown) => ({
    name: "PayeeRejectedNative",
    args: [payee, AMOUNT, reason],
  }),
  again: reentrancyReason,
  reentrant: "ReentrantTarget",
} as const;

/** Forced ether is uncredited, and can be credited. */
const forcedEther: Cell = [
  {
    does: "works to the unit with ether that was forced in",
    check: async (chain) => {
      const ledger = await paid(chain);
      const { owner, receiver } = ledger.stage;
      await chain.networkHelpers.setBalance(await receiver.getAddress(), AMOUNT);
      const args: [string, string, bigint] = [ledger.requestId, ZeroAddress, AMOUNT];
      const data = receiver.interface.encodeFunctionData("creditRefund", args);
      const holders = [await receiver.getAddress()];
      const booked = { from: owner, holders, moved: [0n], credited: AMOUNT };
      await expectWorks(chain, await attemptOf(ledger, ZeroAddress, data, booked));
    },
  },
];

/** Only money with the id is credited, not forced ether. */
const refundBesideForcedEther: Cell = [
  {
    does: "credits what came and not the ether that was forced in before",
    check: async (chain) => {
      const ledger = await paid(chain);
      const { receiver, stranger } = ledger.stage;
      await chain.networkHelpers.setBalance(await receiver.getAddress(), 7n);
      const holders = [stranger.address, await receiver.getAddress()];
      const booked = { from: stranger, holders, moved: [-AMOUNT, AMOUNT], credited: AMOUNT, value: AMOUNT };
      await expectWorks(chain, await attemptOf(ledger, ZeroAddress, ledger.requestId, booked));
    },
  },
];

function paysNobodyNative(selfDestructing: Cell): Record<Adversary, Cell> {
  const none = Object.fromEntries(adversaries.map((each) => [each, paysNobody])) as Record<Adversary, Cell>;
  return { ...none, ...noTokenCells, "self-destructing payee": selfDestructing };
}

const path = (call: string, variant: string, cells: Record<Adversary, Cell>): Path => ({
  contract: "ManagedReceiver",
  function: call,
  variant,
  cells,
});
const native = "native currency";
const withdrawal = preparePayoutNative("withdrawRefund");
const rescued = { ...paidOut, again: callerUnauthorized };

export const refundPaths: readonly Path[] = [
  path("fallback", "native currency with an id", paysNobodyNative(refundBesideForcedEther)),
  path("refundErc20", "a token", tokenRow(prepareRefund, refundOutcomes)),
  path("creditRefund", native, paysNobodyNative(forcedEther)),
  path("creditRefund", "a token", tokenRow(prepareCredit, creditOutcomes)),
  path("withdrawRefund", native, nativeRow(withdrawal, paidOut)),
  path("withdrawRefund", "a token", tokenRow(preparePayout("withdrawRefund"), withdrawOutcomes)),
  path("rescue", native, nativeRow(preparePayoutNative("rescue"), rescued)),
  path("rescue", "a token", tokenRow(preparePayout("rescue"), rescueOutcomes)),
];
