import { expect } from "chai";
import { loadSvm } from "../../../emulator/chains/svm/loadSvm.ts";
import { deriveSvmPools } from "../../../emulator/chains/svm/swap/svmPools.ts";
import { getQuote, HttpError } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { reached, until } from "../../helpers/requests/requestHistory.ts";
import {
  freshSvm,
  payOnSvm,
  svmBalance,
  svmTokenOf,
  svmUsdc,
  svmUser,
  svmWithdrawal,
} from "../../helpers/svm.ts";

const ends = ["success", "refund", "failure"] as const;
const sold = { amount: "10000000", originCurrency: svmTokenOf("JUP").address };

describe("payers and payees of swaps on the SVM chain", () => {
  const fixture = useEmulator({ svm: true });

  it("a swapped deposit whose fee another account pays: is the user's, and filled", async () => {
    const [user, payer] = [await svmUser(0), await svmUser(1)];
    const recipient = fresh();
    const terms = { ...sold, depositFeePayer: payer.address, recipient, user: user.address };
    const quote = await svmWithdrawal(fixture, terms);
    await payOnSvm(fixture, quote, user, payer);
    const { status } = await reached(fixture.emulator, idOf(quote), ...ends);
    expect(status).to.equal("success");
    const arrived = await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);
    expect(arrived >= BigInt(quote.details.currencyOut.minimumAmount ?? 0)).to.equal(true);
  });

  it("a second swapped deposit whose fee another account pays: is refunded to the user, who sold the tokens", async () => {
    const [user, payer] = [await svmUser(0), await svmUser(1)];
    const terms = { ...sold, depositFeePayer: payer.address, user: user.address };
    const quote = await svmWithdrawal(fixture, { ...terms, refundTo: await freshSvm() });
    await payOnSvm(fixture, quote, user, payer);
    expect((await reached(fixture.emulator, idOf(quote), ...ends)).status).to.equal("success");
    const held = () =>
      Promise.all([user, payer].map(({ address }) => svmBalance(fixture, address, svmUsdc.address)));
    const before = await held();
    const again = structuredClone(quote);
    // An unknown order names no refund address: the payer of the deposit is refunded.
    const data = again.steps[0]?.items[0]?.data as unknown as { instructions: { data: string }[] };
    const memo = data.instructions.at(-1);
    if (memo === undefined) throw new Error("the step has no memo");
    memo.data = memo.data.replace(/.{8}$/, "62656566");
    await payOnSvm(fixture, again, user, payer);
    await until(async () => `${await held()}` !== `${before}` || undefined, "a refund", 5_000);
    const [ofUser = 0n, ofPayer = 0n] = await held();
    expect(ofUser > (before[0] ?? 0n) + 9_000_000n, `${before} ${ofUser} ${ofPayer}`).to.equal(true);
    expect(ofPayer).to.equal(before[1]);
  });

  it("a recipient or a refund address that is a pool or its vault: is rejected, since its token accounts are the vaults", async () => {
    const [pool] = await deriveSvmPools(await loadSvm());
    for (const account of [pool?.address ?? "", ...(pool?.vaults ?? [])]) {
      const refundTo = await failureOf(svmWithdrawal(fixture, { ...sold, refundTo: account }));
      const recipient = await failureOf(
        getQuote(fixture.client, {
          ...{ amount: "25000000", destinationChainId: 792703809, destinationCurrency: svmUsdc.address },
          ...{ originChainId: fixture.alpha.info.id, originCurrency: fixture.alpha.currency("USDC") },
          ...{ recipient: account, tradeType: "EXACT_INPUT", user: fixture.alpha.wallet(0).account.address },
        }),
      );
      for (const [error, code] of [
        [refundTo, "INVALID_ADDRESS"],
        [recipient, "INVALID_RECIPIENT"],
      ] as const) {
        expect(error).to.be.instanceOf(HttpError);
        expect((error as HttpError).errorCode).to.equal(code);
        expect((error as HttpError).message).to.contain("is a pool");
      }
    }
  });
});
