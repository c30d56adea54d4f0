import { expect } from "chai";
import { exchangeChainId } from "../../../src/perps/constants.ts";
import { getExchangeBalance } from "../../../src/perps/getExchangeBalance.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import {
  exchangeBalance,
  exchangeUrl,
  postAction,
  signQuote,
  withdrawalQuote,
  withdrawn,
} from "../../helpers/perps.ts";

const marketUsdc = "0x6d1e7cde53ba9467b783cb7c530ce05478797a";

describe("actions that the perps exchange accepts", () => {
  const fixture = useEmulator({ perps: true });

  // @spec perps/success
  it("a signed action: moves the signer's money to the solver, and is refused the second time", async () => {
    const user = fixture.alpha.wallet(0).account.address;
    const { solver } = fixture.emulator.info;
    const balances = async () =>
      [await exchangeBalance(fixture, user), await exchangeBalance(fixture, solver)] as const;
    const [paid, received] = await balances();
    const { deposit } = await signQuote(fixture, await withdrawalQuote(fixture));
    expect((await postAction(fixture, deposit)).status).to.equal("ok");
    const after = [paid - withdrawn, received + withdrawn];
    expect(await balances()).to.deep.equal(after);
    const error = await failureOf(postAction(fixture, deposit));
    expect(error).to.include({ name: "ExchangeRejectedError", retryable: false, status: "err" });
    expect(error)
      .to.have.property("details")
      .which.matches(/already used/);
    expect(await balances()).to.deep.equal(after);
  });

  // @spec perps/balances
  it("balances in two markets: reports the withdrawable amount of each, to the smallest unit", async () => {
    const account = fixture.alpha.wallet(3).account.address;
    const parameters = { url: exchangeUrl(fixture), user: account };
    const set = (amount: bigint, currency: string) =>
      fixture.emulator.control.balances.set({ account, amount, chainId: exchangeChainId, currency });
    await set(1_310_451_450_201n, "0x00000000000000000000000000000000");
    await set(7n, marketUsdc);
    expect(await getExchangeBalance(parameters)).to.deep.equal({ withdrawable: 1_310_451_450_201n });
    expect(await getExchangeBalance({ ...parameters, market: "xyz" })).to.deep.equal({ withdrawable: 7n });
  });
});
