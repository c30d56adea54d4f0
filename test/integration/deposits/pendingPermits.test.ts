import { expect } from "chai";
import { type Address, erc20Abi, type Hex } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { automine, mine } from "../../helpers/localChain.ts";
import { fiftyDollars, quoteFor, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";
import { handIn, signed, signedQuote } from "../../helpers/quotes/permits.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("two Permit2 payments of one account at once", function () {
  this.timeout(60_000);
  const fixture = useEmulator();

  const allowance = () => {
    const { alpha } = fixture;
    return alpha.reader.readContract({
      abi: erc20Abi,
      address: alpha.currency("USDT"),
      args: [alpha.wallet(0).account.address, alpha.info.contracts.permit2],
      functionName: "allowance",
    });
  };
  /** Submits a payment that stays pending until a block is mined. */
  const payPending = async () => {
    const first = await signedQuote(fixture);
    await automine(fixture.alpha, false);
    await handIn(fixture, first);
    return first;
  };
  afterEach(async () => {
    await automine(fixture.alpha, true);
    await mine(fixture.alpha);
  });

  it("a quote while another payment is pending: asks to approve the sum of both, and both succeed", async () => {
    const each = fiftyDollars("USDT");
    const first = await payPending();
    expect(await allowance()).to.equal(each);
    const second = await quoteFor(fixture, signed("permit2"));
    expect(second.steps.map(({ id }) => id)).to.deep.equal(["approve", "authorize"]);
    await automine(fixture.alpha, true);
    await mine(fixture.alpha);
    await reached(fixture.emulator, requestIdOf(first), "success");
    expect(await allowance()).to.equal(0n);
    const [approve] = second.steps;
    for (const item of approve?.kind === "transaction" ? approve.items : []) {
      const { data, to } = item.data as { data: Hex; to: Address };
      await sendAs(fixture.alpha, 0, { data, to });
    }
    expect(await allowance()).to.equal(2n * each);
    await handIn(fixture, second);
    await reached(fixture.emulator, requestIdOf(second), "success");
    expect(await allowance()).to.equal(each);
  });

  it("a quote after the other payment was pulled: relies on the whole remaining allowance", async () => {
    expect(await allowance()).to.equal(fiftyDollars("USDT"));
    const quote = await quoteFor(fixture, signed("permit2"));
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["authorize"]);
  });

  it("a pending payment of another account: a quote relies on the whole allowance", async () => {
    const user = fixture.alpha.wallet(1).account.address;
    const args = [fixture.alpha.info.contracts.permit2, fiftyDollars("USDT")] as const;
    const data = erc20Data("approve", ...args);
    await sendAs(fixture.alpha, 1, { data, to: fixture.alpha.currency("USDT") });
    await payPending();
    const quote = await quoteFor(fixture, { ...signed("permit2"), user });
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["authorize"]);
  });
});
