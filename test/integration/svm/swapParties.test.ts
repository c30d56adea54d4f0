import { expect } from "chai";
import { loadSvm } from "../../../emulator/chains/svm/loadSvm.ts";
import { signSvmTransaction, swappedPaymentInstructions } from "../../../emulator/chains/svm/svmPayment.ts";
import { deriveSvmPools } from "../../../emulator/chains/svm/swap/svmPools.ts";
import { getQuote, HttpError, reindexDepositAddress } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { reached, until } from "../../helpers/requests/requestHistory.ts";
import {
  freshSvm,
  payAddress,
  payOnSvm,
  svmBalance,
  svmRpc,
  svmTokenOf,
  svmUsdc,
  svmUser,
  svmWithdrawal,
} from "../../helpers/svm.ts";

const ends = ["success", "refund", "failure"] as const;
const sold = { amount: "10000000", originCurrency: svmTokenOf("JUP").address };

describe("payers and payees of swaps on the SVM chain", () => {
  const fixture = useEmulator({ svm: true });

  const stage = depositAddressStage(fixture);
  const ended = (address: string) => stage.ended(address as `0x${string}`, 1);

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

  for (const [what, terms, reason] of [
    ["an open address", {}, "NO_QUOTES"],
    ["a strict address, once it is reindexed", { strict: true }, "INCORRECT_DEPOSIT_CURRENCY"],
  ] as const) {
    it(`a token that pools trade, at ${what}: is refunded in that token, and nothing stays`, async () => {
      const refundTo = await freshSvm();
      const quote = await svmWithdrawal(fixture, { ...terms, refundTo, useDepositAddress: true });
      const depositAddress = quote.steps[0]?.depositAddress ?? "";
      const currency = svmTokenOf("WIF");
      await payAddress(fixture, depositAddress, { amount: 25_000_000n, currency, from: await svmUser() });
      if ("strict" in terms) {
        await reindexDepositAddress(fixture.client, { chainId: 792703809, depositAddress });
      }
      const [record] = await ended(depositAddress);
      expect([record?.status, record?.data?.failReason]).to.deep.equal(["refund", reason]);
      expect(await svmBalance(fixture, depositAddress, currency.address)).to.equal(0n);
      expect((await svmBalance(fixture, refundTo, currency.address)) > 24_000_000n).to.equal(true);
    });
  }

  it("a swap into an open deposit address, whose fee another account pays: is quoted anew, and the seller is its payer", async () => {
    const [user, payer] = [await svmUser(0), await svmUser(1)];
    const recipient = fresh();
    const quote = await svmWithdrawal(fixture, { recipient, useDepositAddress: true });
    const depositAddress = quote.steps[0]?.depositAddress ?? "";
    const packages = await loadSvm();
    const instructions = await swappedPaymentInstructions(
      {
        ...{ amounts: { atLeast: 1n, sells: 10_000_000n }, from: user, payer, to: depositAddress },
        path: [sold.originCurrency, svmUsdc.address],
      },
      { packages, pools: await deriveSvmPools(packages) },
    );
    const rpc = svmRpc(fixture.emulator.info.apiUrl);
    const { value } = await rpc.getLatestBlockhash().send();
    const wire = await signSvmTransaction(instructions, { blockhash: value.blockhash, payer }, packages);
    const text = Buffer.from(wire).toString("base64") as never;
    await rpc.sendTransaction(text, { encoding: "base64" }).send();
    const [record] = await ended(depositAddress);
    expect([record?.status, record?.refundTo]).to.deep.equal(["success", user.address]);
    expect((await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient)) > 9_000_000n).to.equal(
      true,
    );
  });
});
