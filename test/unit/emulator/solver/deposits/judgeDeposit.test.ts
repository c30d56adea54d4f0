import { expect } from "chai";
import fc from "fast-check";
import {
  type Circumstances,
  decidesRequest,
  judgeDeposit,
  type Promised,
} from "../../../../../emulator/solver/deposits/judgeDeposit.ts";
import { uint256 } from "../../../records/support/arbitraries.ts";
import { recipient, usdc, usdt, user } from "../../support/fakeChains.ts";

const intent: Promised = {
  deposit: { currency: usdc.address, minimumAmount: 100n, via: "depository" },
  expiresAt: 5_000,
  origin: { chainId: 31337 },
  user,
};
const own: Promised = { ...intent, deposit: { ...intent.deposit, via: "self" } };
const timely: Circumstances = { isPaid: false, now: 5_000, orderDeadline: 5_000 };
const late = { now: 5_001 };
const deposit = { amount: 100n, chainId: 31337, currency: usdc.address, depositors: [user] };
const allWrong = { amount: 1n, chainId: 1, currency: usdt.address, depositors: [recipient] };
const lower = <Text extends string>(text: Text) => text.toLowerCase() as Text;

/** The reason of a refused deposit, or `accepted`. */
function judge(
  change: Partial<typeof deposit>,
  circumstances: Partial<Circumstances> = {},
  promised = intent,
): string {
  const judgement = judgeDeposit({ ...deposit, ...change }, promised, { ...timely, ...circumstances });
  return judgement.outcome === "accepted" ? "accepted" : judgement.reason;
}

describe("judgeDeposit", () => {
  const lowerCaseIntent = {
    ...intent,
    deposit: { ...intent.deposit, currency: lower(usdc.address) },
    user: lower(user),
  };
  const cases: readonly (readonly [title: string, verdict: string, ...Parameters<typeof judge>])[] = [
    ["the quoted deposit", "accepted", {}],
    ["a deposit of a paid request", "DOUBLE_SPEND", {}, { isPaid: true }],
    ["another chain", "DEPOSIT_CHAIN_MISMATCH", { chainId: 31338 }],
    ["another currency", "INCORRECT_DEPOSIT_CURRENCY", { currency: usdt.address }],
    ["another depositor", "INVALID_SENDER", { depositors: [recipient] }],
    ["no depositor", "INVALID_SENDER", { depositors: [] }],
    ["one unit too little", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", { amount: 99n }],
    ["an amount of zero", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", { amount: 0n }],
    ["every fault, paid already", "DOUBLE_SPEND", allWrong, { isPaid: true }],
    ["every fault but payment", "DEPOSIT_CHAIN_MISMATCH", allWrong],
    ["every fault on the right chain", "INCORRECT_DEPOSIT_CURRENCY", { ...allWrong, chainId: 31337 }],
    ["another depositor of too little", "INVALID_SENDER", { amount: 1n, depositors: [recipient] }],
    ["a millisecond after the order's deadline", "ORDER_EXPIRED", {}, late],
    ["a millisecond after the quote's end", "TTL_EXPIRED", {}, { ...late, orderDeadline: 5_001 }],
    ["a request that needs no deposit", "DEPOSIT_ADDRESS_MISMATCH", {}, {}, own],
    ["a deposit in lower case", "accepted", { currency: lower(usdc.address), depositors: [lower(user)] }],
    ["an intent in lower case", "accepted", {}, {}, lowerCaseIntent],
    ["the user as the second depositor", "accepted", { depositors: [recipient, user] }],
    ["the user as the third depositor", "accepted", { depositors: [usdt.address, recipient, user] }],
  ];
  for (const [title, verdict, ...parameters] of cases) {
    it(`${title} is judged ${verdict}`, () => expect(judge(...parameters)).to.equal(verdict));
  }

  it("any amount: is accepted from the minimum on", () => {
    fc.assert(
      fc.property(uint256, uint256, (minimumAmount, amount) => {
        const promised = { ...intent, deposit: { ...intent.deposit, minimumAmount } };
        expect(judge({ amount }, {}, promised) === "accepted").to.equal(amount >= minimumAmount);
      }),
    );
  });
});

describe("decidesRequest", () => {
  const accepted = { outcome: "accepted" } as const;
  const wrong = { outcome: "refused", reason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL" } as const;
  for (const [title, judgement, depositors, isPaid, promised, decides] of [
    ["an accepted deposit", accepted, [user, recipient], false, intent, true],
    ["a refused deposit that the user signed", wrong, [user], false, intent, true],
    ["a refused deposit of another account", wrong, [recipient], false, intent, false],
    // Any account may name the user as the depositor.
    ["a refused deposit of another account for the user", wrong, [user, recipient], false, intent, false],
    ["a refused deposit of a paid request", wrong, [user], true, intent, false],
    ["a refused deposit for a request that needs none", wrong, [user], false, own, false],
    ["a refused deposit without a depositor", wrong, [], false, intent, false],
  ] as const) {
    it(`${title} decides the request: ${decides}`, () => {
      expect(decidesRequest(judgement, { depositors }, promised, isPaid)).to.equal(decides);
    });
  }
});
