import { expect } from "chai";
import fc from "fast-check";
import {
  type Circumstances,
  decidesRequest,
  judgeDeposit,
  type Promised,
} from "../../../../../emulator/solver/deposits/judgeDeposit.ts";
import type { FailReason } from "../../../../../src/schema/request/failReason.ts";
import { uint256 } from "../../../records/support/arbitraries.ts";
import { recipient, usdc, usdt, user } from "../../support/fakeChains.ts";

const intent: Promised = {
  deposit: { currency: usdc.address, minimumAmount: 100n, via: "depository" },
  expiresAt: 5_000,
  origin: { chainId: 31337 },
  user,
};
const timely: Circumstances = { isPaid: false, now: 5_000, orderDeadline: 5_000 };
const deposit = { amount: 100n, chainId: 31337, currency: usdc.address, depositors: [user] };

/** Why a deposit that differs from the right one goes back. */
function reasonFor(change: Partial<typeof deposit>, isPaid = false): FailReason | "accepted" {
  const judgement = judgeDeposit({ ...deposit, ...change }, intent, { ...timely, isPaid });
  return judgement.outcome === "accepted" ? "accepted" : judgement.reason;
}

describe("judgeDeposit", () => {
  it("accepts what the quote asked for", () => {
    expect(judgeDeposit(deposit, intent, timely)).to.deep.equal({ outcome: "accepted" });
  });

  it("names each reason to give a deposit back", () => {
    expect(reasonFor({}, true)).to.equal("DOUBLE_SPEND");
    expect(reasonFor({ chainId: 31338 })).to.equal("DEPOSIT_CHAIN_MISMATCH");
    expect(reasonFor({ currency: usdt.address })).to.equal("INCORRECT_DEPOSIT_CURRENCY");
    expect(reasonFor({ depositors: [recipient] })).to.equal("INVALID_SENDER");
    expect(reasonFor({ depositors: [] })).to.equal("INVALID_SENDER");
    expect(reasonFor({ amount: 99n })).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
    expect(reasonFor({ amount: 0n })).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
  });

  it("names the first reason when there are several", () => {
    const everythingWrong = { amount: 1n, chainId: 1, currency: usdt.address, depositors: [recipient] };
    expect(reasonFor(everythingWrong, true)).to.equal("DOUBLE_SPEND");
    expect(reasonFor(everythingWrong)).to.equal("DEPOSIT_CHAIN_MISMATCH");
    expect(reasonFor({ ...everythingWrong, chainId: 31337 })).to.equal("INCORRECT_DEPOSIT_CURRENCY");
    expect(reasonFor({ amount: 1n, depositors: [recipient] })).to.equal("INVALID_SENDER");
  });

  it("gives back what comes a millisecond too late, and tells whose time was over", () => {
    const late = { ...timely, now: 5_001 };
    expect(judgeDeposit(deposit, intent, late)).to.deep.equal({
      outcome: "refused",
      reason: "ORDER_EXPIRED",
    });
    expect(judgeDeposit(deposit, intent, { ...late, orderDeadline: 5_001 })).to.deep.equal({
      outcome: "refused",
      reason: "TTL_EXPIRED",
    });
  });

  it("lets the right deposit decide its request, and of the wrong ones only what the user signed", () => {
    const wrong = { outcome: "refused", reason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL" } as const;
    const by = (depositors: readonly (typeof user)[]) => ({ depositors });
    const own = { ...intent, deposit: { ...intent.deposit, via: "self" as const } };
    expect(decidesRequest({ outcome: "accepted" }, by([user, recipient]), intent, false)).to.equal(true);
    expect(decidesRequest(wrong, by([user]), intent, false)).to.equal(true);
    expect(decidesRequest(wrong, by([recipient]), intent, false)).to.equal(false);
    // Any account may name the user as the depositor.
    expect(decidesRequest(wrong, by([user, recipient]), intent, false)).to.equal(false);
    expect(decidesRequest(wrong, by([user]), intent, true)).to.equal(false);
    expect(decidesRequest(wrong, by([user]), own, false)).to.equal(false);
    expect(decidesRequest(wrong, by([]), intent, false)).to.equal(false);
  });

  it("gives back what is deposited for a request that needs no deposit", () => {
    const own = { ...intent, deposit: { ...intent.deposit, via: "self" as const } };
    expect(judgeDeposit(deposit, own, timely)).to.deep.equal({
      outcome: "refused",
      reason: "DEPOSIT_ADDRESS_MISMATCH",
    });
  });

  it("compares addresses without their letter case", () => {
    const lower = usdc.address.toLowerCase() as typeof usdc.address;
    expect(reasonFor({ currency: lower, depositors: [user.toLowerCase() as typeof user] })).to.equal(
      "accepted",
    );
    const shouted = {
      ...intent,
      deposit: { ...intent.deposit, currency: lower },
      user: user.toLowerCase() as typeof user,
    };
    expect(judgeDeposit(deposit, shouted, timely)).to.deep.equal({ outcome: "accepted" });
  });

  it("accepts the user in any of the depositor's roles", () => {
    expect(reasonFor({ depositors: [recipient, user] })).to.equal("accepted");
    expect(reasonFor({ depositors: [usdt.address, recipient, user] })).to.equal("accepted");
  });

  it("accepts exactly the amounts that are enough", () => {
    fc.assert(
      fc.property(uint256, uint256, (asked, deposited) => {
        const promised = { ...intent, deposit: { ...intent.deposit, minimumAmount: asked } };
        const judgement = judgeDeposit({ ...deposit, amount: deposited }, promised, timely);
        expect(judgement.outcome).to.equal(deposited >= asked ? "accepted" : "refused");
      }),
    );
  });
});
