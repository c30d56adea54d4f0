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
import { failureOf } from "../../helpers/failureOf.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

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

  it("a claim above the solver's capacity for a request: 400 INSUFFICIENT_LIQUIDITY before a signature, at the capacity none", async () => {
    const own = await startFixture({ capacityPerRequest: "100" });
    try {
      const { address } = own.alpha.wallet(5).account;
      await earn(own, address);
      await own.emulator.control.config.set({ capacityPerRequest: "4" });
      const refused = await failureOf(startClaim(own, address, { amount: 4_000_001n }));
      expect(refused).to.include({ errorCode: "INSUFFICIENT_LIQUIDITY", status: 400 });
      const claim = await startClaim(own, address, { amount: 4_000_000n });
      await signClaim(own, claim, own.alpha.wallet(5).account);
      await reached(own.emulator, claimIdOf(claim), "success");
    } finally {
      await own.stop();
    }
  });

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
