import { expect } from "chai";
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
