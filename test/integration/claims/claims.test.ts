import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";
import {
  amountsOf,
  balanceOf,
  claimIdOf,
  earn,
  signClaim,
  startClaim,
} from "../../helpers/appFees/claims.ts";
import { startFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { forEachDialect } from "../../helpers/processes/stores.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a claim of app fees", () => {
  const fixture = useEmulator();
  const wallet = () => fixture.alpha.wallet(5).account;

  // @spec endpoints/claim-app-fees
  it("pays the whole balance less gas to the recipient once the wallet has signed, to the unit", async () => {
    const { alpha, emulator } = fixture;
    const { address } = wallet();
    await earn(fixture, address);
    const held = await balanceOf(fixture, address);
    const recipient = fresh();
    const claim = await startClaim(fixture, address, { recipient });
    const { amount, payout } = amountsOf(claim);
    expect(amount).to.equal(held);
    expect(payout > 0n && payout < amount).to.equal(true);
    expect(await balanceOf(fixture, address)).to.equal(held);
    const answer = await signClaim(fixture, claim, wallet());
    expect(answer).to.deep.equal({ body: { message: "Success" }, status: 200 });
    expect(await balanceOf(fixture, address)).to.equal(0n);
    const history = await reached(emulator, claimIdOf(claim), "success", "failure");
    expect(history.events.map(({ trigger }) => trigger)).to.deep.equal([
      "quoted",
      "claim-signed",
      "fill-submitted",
      "fill-succeeded",
    ]);
    expect(await alpha.balanceOf(alpha.currency("USDC"), recipient)).to.equal(payout);
    expect(history.deposits).to.deep.equal([]);
  });

  it("is paid in another currency on another chain, at present prices, and leaves the rest", async () => {
    const { beta, emulator } = fixture;
    const { address } = wallet();
    await earn(fixture, address);
    const before = await balanceOf(fixture, address);
    const recipient = fresh();
    const amount = 4_000_000_000_000_001n;
    const place = { chainId: beta.info.id, currency: zeroAddress };
    const claim = await startClaim(fixture, address, { ...place, amount, recipient });
    await signClaim(fixture, claim, wallet());
    await reached(emulator, claimIdOf(claim), "success", "failure");
    const { payout } = amountsOf(claim);
    expect(await beta.balanceOf(zeroAddress, recipient)).to.equal(payout);
    // 0.004 ETH at 2,500 dollars; one wei more takes one unit more.
    expect(before - (await balanceOf(fixture, address))).to.equal(10_000_001n);
  });
});

describe("claims of app fees whose prices move before the signature", () => {
  const fixture = useEmulator({}, { each: true });
  const wallet = () => fixture.alpha.wallet(5).account;
  const amount = parseEther("0.004");

  /** Starts a claim of native currency, worth ten dollars, and signs it once the price has moved. */
  async function signedAt(ethPrice: string) {
    await earn(fixture, wallet().address);
    const held = await balanceOf(fixture, wallet().address);
    const claim = await startClaim(fixture, wallet().address, { amount, currency: zeroAddress });
    await fixture.emulator.control.prices.set({ ETH: ethPrice });
    const answer = await signClaim(fixture, claim, wallet());
    return { answer, claim, taken: held - (await balanceOf(fixture, wallet().address)) };
  }

  for (const [what, price] of [
    ["dearer", "5000"],
    ["cheaper", "1250"],
  ] as const) {
    it(`a claimed currency that became ${what}: debits what the claim stated`, async () => {
      const { answer, claim, taken } = await signedAt(price);
      expect([answer.status, taken]).to.deep.equal([200, 10_000_000n]);
      await reached(fixture.emulator, claimIdOf(claim), "success");
      expect(amountsOf(claim).amount).to.equal(amount);
    });
  }

  it("a capacity that falls after the quote: the claim fails without a payout, and its amount returns", async () => {
    const { emulator } = fixture;
    await earn(fixture, wallet().address);
    const held = await balanceOf(fixture, wallet().address);
    const claim = await startClaim(fixture, wallet().address, { amount: 4_000_000n });
    await emulator.control.config.set({ capacityPerRequest: "1" });
    await signClaim(fixture, claim, wallet());
    const { failReason } = await reached(emulator, claimIdOf(claim), "failure");
    expect(failReason).to.equal("SOLVER_CAPACITY_EXCEEDED");
    expect(await balanceOf(fixture, wallet().address)).to.equal(held);
  });
});

forEachDialect("claims of app fees at once", (kind) => {
  let fixture: Awaited<ReturnType<typeof startFixture>>;
  before(async () => {
    fixture = await startFixture({ database: await kind.newUrl() });
  });
  after(() => fixture.stop());
  const wallet = () => fixture.alpha.wallet(5).account;

  it("the same signature ten times at once: one payout, ten equal answers", async () => {
    const { alpha, emulator } = fixture;
    await earn(fixture, wallet().address);
    const recipient = fresh();
    const claim = await startClaim(fixture, wallet().address, { recipient });
    const answers = await Promise.all(Array.from({ length: 10 }, () => signClaim(fixture, claim, wallet())));
    expect(answers).to.deep.equal(Array(10).fill({ body: { message: "Success" }, status: 200 }));
    const history = await reached(emulator, claimIdOf(claim), "success", "failure");
    expect(history.transactions).to.have.length(1);
    expect(await alpha.balanceOf(alpha.currency("USDC"), recipient)).to.equal(amountsOf(claim).payout);
    expect(await balanceOf(fixture, wallet().address)).to.equal(0n);
    expect((await signClaim(fixture, claim, wallet())).status).to.equal(200);
  });

  it("five claims of the whole balance at once: one is paid, four are refused", async () => {
    const { alpha, emulator } = fixture;
    await earn(fixture, wallet().address);
    const recipient = fresh();
    const claims = [];
    for (let i = 0; i < 5; i++) claims.push(await startClaim(fixture, wallet().address, { recipient }));
    const answers = await Promise.all(claims.map((claim) => signClaim(fixture, claim, wallet())));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400, 400]);
    const paid = claims[answers.findIndex(({ status }) => status === 200)];
    if (paid === undefined) throw new Error("no claim was accepted");
    await reached(emulator, claimIdOf(paid), "success");
    expect(await alpha.balanceOf(alpha.currency("USDC"), recipient)).to.equal(amountsOf(paid).payout);
    expect(await balanceOf(fixture, wallet().address)).to.equal(0n);
  });
});

describe("a claim of app fees whose payout a reorg removes", () => {
  const fixture = useEmulator({ reorgs: true });

  it("is sent again with the same bytes, and debited once", async () => {
    const { alpha, emulator } = fixture;
    const { account } = alpha.wallet(5);
    await earn(fixture, account.address);
    const recipient = fresh();
    const claim = await startClaim(fixture, account.address, { recipient });
    await signClaim(fixture, claim, account);
    const before = await reached(emulator, claimIdOf(claim), "success");
    await reorgStage(fixture).lose(alpha);
    const history = await until(async () => {
      const now = await historyOf(emulator, claimIdOf(claim));
      const isAgain = now.events.some(({ trigger }) => trigger === "fill-reorged");
      return isAgain && now.status === "success" ? now : undefined;
    }, "the payout after the reorg");
    const hashes = ({ transactions }: typeof before) => transactions.map(({ hash, state }) => [hash, state]);
    expect(hashes(history)).to.deep.equal(hashes(before));
    expect(await alpha.balanceOf(alpha.currency("USDC"), recipient)).to.equal(amountsOf(claim).payout);
    expect(await balanceOf(fixture, account.address)).to.equal(0n);
  });
});
