import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import type { ClaimAppFeesParameters, Quote } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import {
  amountsOf,
  balanceOf,
  claimIdOf,
  earn,
  type StartedClaim,
  signClaim,
  startClaim,
} from "../../helpers/appFees/claims.ts";
import { fillFast } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine, setCode, withoutAutomine } from "../../helpers/localChain.ts";
import { carryOut, quoteFor, requestIdOf } from "../../helpers/quotes/intents.ts";
import { postSignature, signQuote } from "../../helpers/quotes/permits.ts";
import { asIntegrator } from "../../helpers/quotes/sponsors.ts";
import { fresh, reverting } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("claims of app fees that are refused", () => {
  const fixture = useEmulator();
  const wallet = () => fixture.alpha.wallet(5).account;
  let held = 0n;
  before(async () => {
    await earn(fixture, wallet().address);
    held = await balanceOf(fixture, wallet().address);
  });
  // Nothing moves in any of them.
  afterEach(async () => expect(await balanceOf(fixture, wallet().address)).to.equal(held));

  /** The balance once the fee of an advance came in: its request succeeded before its deposit. */
  const balanceAbove = (before: bigint) =>
    until(async () => {
      const balance = await balanceOf(fixture, wallet().address);
      return balance > before ? balance : undefined;
    }, "the fee of an advance");

  async function refusalOf(
    change: Partial<ClaimAppFeesParameters>,
  ): Promise<[number | undefined, string | undefined]> {
    const error = await startClaim(fixture, wallet().address, change).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof HttpError)) throw error ?? new Error("the claim was started");
    return [error.status, error.errorCode];
  }

  const evmToken = "0x00000000000000000000000000000000000000dd";
  for (const [title, change, errorCode] of [
    ["an unknown chain", () => ({ chainId: 10 }), "UNSUPPORTED_CHAIN"],
    ["an unknown currency", () => ({ currency: evmToken }), "UNSUPPORTED_CURRENCY"],
    ["one unit above the balance", () => ({ amount: held + 1n }), "INSUFFICIENT_FUNDS"],
    ["an amount of zero", () => ({ amount: 0n }), "AMOUNT_TOO_LOW"],
    ["an amount below the gas of its payout", () => ({ amount: 1n }), "AMOUNT_TOO_LOW"],
    [
      "a recipient of the SVM chain",
      () => ({ recipient: "11111111111111111111111111111111" }),
      "INVALID_RECIPIENT",
    ],
    ["the zero address as recipient", () => ({ recipient: zeroAddress }), "INVALID_RECIPIENT"],
    ["a token as recipient", () => ({ recipient: fixture.alpha.currency("USDC") }), "INVALID_RECIPIENT"],
    ["a wallet without a balance", () => ({ wallet: fresh() }), "AMOUNT_TOO_LOW"],
    ["an SVM wallet", () => ({ wallet: "So11111111111111111111111111111111111111112" }), "INVALID_ADDRESS"],
  ] as const) {
    it(`${title}: 400 ${errorCode}`, async () => {
      expect(await refusalOf(change())).to.deep.equal([400, errorCode]);
    });
  }

  it("a recipient contract that rejects native currency: 400 DESTINATION_TX_FAILED", async () => {
    const recipient = fresh();
    await setCode(fixture.alpha, recipient, reverting);
    expect(await refusalOf({ amount: 10n ** 15n, currency: zeroAddress, recipient })).to.deep.equal([
      400,
      "DESTINATION_TX_FAILED",
    ]);
  });

  it("a balance that secures an advance: 400 INSUFFICIENT_FUNDS", async () => {
    const { emulator } = fixture;
    await earn(asIntegrator(fixture), wallet().address);
    const quote = await quoteFor(fixture, {
      amount: 20_000_000n,
      appFees: [{ fee: "1", recipient: wallet().address }],
      from: "USDC",
      to: "USDC",
    });
    await fillFast(fixture, quote);
    await reached(emulator, requestIdOf(quote), "success");
    const answer = await fetch(`${emulator.info.apiUrl}/app-fees/${wallet().address}/balances`);
    const shown = (await answer.json()) as Record<string, number>;
    const { availableBalanceUsd = 0, outstandingFastFillBalanceUsd = 0, totalBalanceUsd = 0 } = shown;
    expect(outstandingFastFillBalanceUsd > 19).to.equal(true);
    const difference = totalBalanceUsd - outstandingFastFillBalanceUsd - availableBalanceUsd;
    expect(Math.abs(difference) <= 1e-9, `${difference}`).to.equal(true);
    const available = BigInt(Math.round(availableBalanceUsd * 1e6));
    expect(await refusalOf({ amount: available + 1n })).to.deep.equal([400, "INSUFFICIENT_FUNDS"]);
    const whole = await startClaim(fixture, wallet().address);
    expect(amountsOf(whole).amount).to.equal(available);
    const before = await balanceOf(fixture, wallet().address);
    await carryOut(fixture, quote);
    // The fee of this request itself.
    held = await balanceAbove(before);
  });

  async function expectRefused(claim: StartedClaim, message: RegExp, signature?: string): Promise<void> {
    const sent = signature ?? (await signQuote(wallet(), claim as Quote));
    const { body, status } = await postSignature(fixture, claim as Quote, sent);
    expect([status, Object.keys(body)]).to.deep.equal([400, ["message"]]);
    expect(body.message).to.match(message);
    const { events } = await historyOf(fixture.emulator, claimIdOf(claim));
    expect(events.map(({ trigger }) => trigger)).to.deep.equal(["quoted"]);
  }

  it("another account's signature: 400, and the wallet's own is still taken", async () => {
    const claim = await startClaim(fixture, wallet().address, { amount: 3_000_000n });
    const foreign = await signQuote(fixture.alpha.wallet(6).account, claim as Quote);
    await expectRefused(claim, /did not sign this claim/, foreign);
  });

  for (const [field, value] of [
    ["recipient", "0x00000000000000000000000000000000000000ff"],
    ["amount", "3000001"],
    ["payout", "3000000"],
    ["deadline", 9_999_999_999],
    ["chainId", 1],
  ] as const) {
    it(`a signature over another ${field}: 400`, async () => {
      const claim = await startClaim(fixture, wallet().address, { amount: 3_000_000n });
      const altered = structuredClone(claim) as Quote;
      const [step] = altered.steps;
      const sign = step?.kind === "signature" ? step.items[0]?.data?.sign : undefined;
      if (sign?.signatureKind !== "eip712") throw new Error("there is no typed data to sign");
      Object.assign(sign.value, { [field]: value });
      await expectRefused(claim, /did not sign this claim/, await signQuote(wallet(), altered));
    });
  }

  it("a permit's kind for a claim, and a claim's kind for a quote: 400", async () => {
    const claim = await startClaim(fixture, wallet().address, { amount: 3_000_000n });
    const signature = await signQuote(wallet(), claim as Quote);
    const { status } = await postSignature(fixture, claim as Quote, signature, { kind: "permit2" });
    expect(status).to.equal(400);
    const unknown = `0x${"99".repeat(32)}`;
    const missing = await postSignature(fixture, claim as Quote, signature, { requestId: unknown });
    expect([missing.status, missing.body.message]).to.deep.equal([400, "Request not found"]);
  });

  describe("that fail after the signature", () => {
    const ether = { amount: 10n ** 15n, currency: zeroAddress } as const;

    it("a payout that reverts in its block: the claim fails, and its amount returns", async () => {
      const recipient: Address = fresh();
      const claim = await startClaim(fixture, wallet().address, { ...ether, recipient });
      await withoutAutomine(fixture.alpha, async () => {
        await signClaim(fixture, claim, wallet());
        await reached(fixture.emulator, claimIdOf(claim), "submitted");
        expect(await balanceOf(fixture, wallet().address)).to.equal(held - 2_500_000n);
        await setCode(fixture.alpha, recipient, reverting);
        await mine(fixture.alpha);
      });
      const history = await reached(fixture.emulator, claimIdOf(claim), "failure", "success");
      expect(history.status).to.equal("failure");
      expect(history.transactions.map(({ kind, state }) => [kind, state])).to.deep.equal([
        ["fill", "reverted"],
      ]);
      // The same signature again has the same answer and pays nothing.
      expect((await signClaim(fixture, claim, wallet())).status).to.equal(200);
      expect((await historyOf(fixture.emulator, claimIdOf(claim))).transactions).to.have.length(1);
    });
  });

  it("a payment with a claim's id: is refunded, and pays no claim", async () => {
    const claim = await startClaim(fixture, wallet().address, { amount: 3_000_000n });
    const sender = fixture.alpha.wallet(5);
    const { payout } = amountsOf(claim);
    const hash = await sender.sendTransaction({
      data: claimIdOf(claim),
      to: fixture.emulator.info.solver,
      value: payout * 10n ** 9n,
    });
    await fixture.alpha.reader.waitForTransactionReceipt({ hash });
    const { children, status } = await (async () => {
      for (;;) {
        const history = await historyOf(fixture.emulator, claimIdOf(claim));
        if (history.children[0]?.status === "refund") return history;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    expect([status, children[0]?.failReason]).to.deep.equal(["waiting", "DEPOSIT_ADDRESS_MISMATCH"]);
  });
});

describe("a claim of app fees after its deadline", () => {
  const fixture = useEmulator();

  it("the wallet's signature: 400, and nothing moves", async () => {
    const { account } = fixture.alpha.wallet(5);
    await earn(fixture, account.address);
    const held = await balanceOf(fixture, account.address);
    const claim = await startClaim(fixture, account.address);
    await fixture.emulator.control.clock.advance(601_000);
    const { body, status } = await signClaim(fixture, claim, account);
    expect([status, body.message]).to.deep.equal([400, "The claim has expired"]);
    expect(await balanceOf(fixture, account.address)).to.equal(held);
  });
});
