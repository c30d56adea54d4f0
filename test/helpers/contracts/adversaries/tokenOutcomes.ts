import { Interface } from "ethers";
import { AMOUNT } from "./attempt.ts";
import {
  AFTER_FEE,
  accountBlocked,
  cutTransfer,
  hasNoCode,
  type Outcome,
  readFailed,
  refused,
  returnedFalse,
  type TokenOutcomes,
  works,
} from "./tokenRows.ts";

/** Expects that another amount than the signed one arrived at the payee. */
function arrived(amount: bigint): Outcome {
  return refused("ArrivedAmountMismatch", (token) => [token, AMOUNT, amount]);
}

/** The token's own reason, for the payee. */
export const blockedPayee = refused("TokenTransferFailed", (token, { payee }) => [
  token,
  accountBlocked(payee),
]);

/** The path directly from the caller to the solver. */
export const pulledOutcomes: TokenOutcomes = {
  returnsFalse: [{ functions: [false, true, false], outcome: returnedFalse }],
  fee: arrived(AFTER_FEE),
  rounding: arrived(AMOUNT - 1n),
  // At the earlier rate, the amount is twice as large.
  halved: works({ moved: [-2n * AMOUNT, 0n, 2n * AMOUNT] }),
  blocked: { who: ({ payee }) => payee, outcome: blockedPayee },
  callsToken: true,
  bombReturns: cutTransfer,
  bombReverts: readFailed,
  codeGone: hasNoCode,
  selfDestructs: readFailed,
};

/** Permit2's own library gives no further reason. */
const permit2Refused = refused("Permit2TransferRefused", (_, { holders }) => [
  holders[0],
  new Interface(["error Error(string)"]).encodeErrorResult("Error", ["TRANSFER_FROM_FAILED"]),
]);

/** The path to the receiver first, by Permit2 or the token, then to the solver. */
export const relayedOutcomes = {
  permit2: {
    ...pulledOutcomes,
    returnsFalse: [
      { functions: [false, true, false], outcome: permit2Refused },
      { functions: [true, false, false], outcome: returnedFalse },
    ],
    bombReturns: permit2Refused,
  },
  authorization: {
    ...pulledOutcomes,
    returnsFalse: [
      { functions: [false, true, false], outcome: arrived(0n) },
      { functions: [true, false, false], outcome: returnedFalse },
    ],
    bombReturns: arrived(0n),
  },
} as const satisfies Record<string, TokenOutcomes>;
