import { expect } from "chai";
import { formatUnits, type Hex, zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine, withoutAutomine } from "../../helpers/localChain.ts";
import { fiftyDollars, quoteFor } from "../../helpers/quotes/intents.ts";
import { asIntegrator } from "../../helpers/quotes/sponsors.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { pay, waitForStatus } from "../../helpers/requests/requestRun.ts";

/** Seconds between deposit and fill. */
const fillTime = 7;

type Page = {
  readonly continuation?: string;
  readonly requests: readonly {
    readonly id: string;
    readonly data: { readonly referrer?: string };
    readonly referrer?: string;
  }[];
};

describe("searches over requests that ran", () => {
  const fixture = useEmulator();
  /** A request with an app fee and without an API key, filled after `fillTime`. */
  let filled: Hex;
  /** A request of another API key, refunded. */
  let refunded: Hex;
  let block: number;
  let appFeeUsd: number;
  let foreignKey: string;
  const ownKey = () => fixture.emulator.info.apiKeys[0]?.key ?? "";

  before(async () => {
    const { alpha, beta, emulator } = fixture;
    const { clock, faults, keys } = emulator.control;
    await clock.freeze();
    const appFees = [{ fee: "100", recipient: fresh() }];
    const quote = await quoteFor(fixture, { appFees, from: "ETH", to: "ETH" });
    filled = idOf(quote);
    appFeeUsd = Number(quote.fees.app?.amountUsd);
    await withoutAutomine(beta, async () => {
      const hash = await pay(fixture, quote);
      block = Number((await alpha.reader.getTransactionReceipt({ hash })).blockNumber);
      await waitForStatus(fixture, filled, ["submitted"]);
      await clock.advance(fillTime * 1_000);
    });
    // The fill is sent after it is recorded, perhaps after the block of the new time.
    await mine(beta);
    await reached(emulator, filled, "success");
    foreignKey = (await keys.create({ name: "other" })).key;
    await faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
    const integrator = asIntegrator(fixture, foreignKey);
    const other = await quoteFor(integrator, { from: "ETH", referrer: "shop", to: "ETH" });
    refunded = idOf(other);
    await pay(fixture, other);
    await reached(emulator, refunded, "refund");
  });

  async function pageOf(path: `v${2 | 3}?${string}`, key = ownKey()): Promise<Page> {
    const url = `${fixture.emulator.info.apiUrl}/requests/${path}`;
    const answer = await fetch(url, { headers: { "x-api-key": key } });
    expect(answer.status, path).to.equal(200);
    return (await answer.json()) as Page;
  }

  async function expectFound(path: Parameters<typeof pageOf>[0], expected: readonly Hex[]): Promise<void> {
    const { requests } = await pageOf(path);
    expect(
      requests.map(({ id }) => id),
      path,
    ).to.deep.equal(expected);
  }

  // @spec requests-v3/blocks requests-v2/blocks
  it("the block of a deposit: finds its request alone, and neither the block before nor after does", async () => {
    for (const version of ["v2", "v3"] as const) {
      for (const [at, expected] of [
        [block - 1, []],
        [block, [filled]],
        [block + 1, []],
      ] as const) {
        await expectFound(`${version}?status=success&startBlock=${at}&endBlock=${at}`, expected);
      }
    }
  });

  // @spec requests-v3/fill-time
  it("the seconds from deposit to fill: find the filled request, and no millisecond more or less does", async () => {
    await expectFound(`v3?fillTimeMin=${fillTime}&fillTimeMax=${fillTime}`, [filled]);
    await expectFound("v3?fillTimeMin=0", [filled]);
    await expectFound(`v3?fillTimeMax=${fillTime - 0.001}`, []);
    await expectFound(`v3?fillTimeMin=${fillTime + 0.001}`, []);
  });

  // @spec requests-v3/amounts requests-v3/app-fee-amounts
  it("the dollars of input and app fee: find the requests, and no cent more or less does", async () => {
    const worth = Number(formatUnits(fiftyDollars("ETH") * 2_500n, 18));
    for (const [field, dollars, matches, below] of [
      ["amountUsd", worth, [refunded, filled], []],
      ["appFeesAmountUsd", appFeeUsd, [filled], [refunded]],
    ] as const) {
      await expectFound(`v3?${field}Min=${dollars - 0.01}&${field}Max=${dollars + 0.01}`, matches);
      await expectFound(`v3?${field}Min=${dollars + 0.01}`, []);
      await expectFound(`v3?${field}Max=${dollars - 0.01}`, below);
    }
  });

  // @spec requests-v3/reasons requests-v3/features requests-v3/status requests-v3/chains
  // @spec requests-v3/currency-addresses requests-v3/currency-chains requests-v3/term
  it("every other parameter: finds the requests with its value alone", async () => {
    const [alpha, beta] = [fixture.alpha.info.id, fixture.beta.info.id];
    const both = [refunded, filled];
    for (const [query, expected] of [
      ["failReason=SLIPPAGE", [refunded]],
      ["failReason=NO_QUOTES", []],
      ["features=app_fees", [filled]],
      ["status=refund", [refunded]],
      ["status=failure", []],
      [`currencyInAddress=${zeroAddress}&currencyOutAddress=${zeroAddress}`, both],
      [`currencyInAddress=${fixture.alpha.currency("USDC")}`, []],
      [`currencyInChainId=${alpha}&currencyOutChainId=${beta}`, both],
      [`currencyInChainId=${beta}`, []],
      [`originChainId=${alpha}&destinationChainId=${beta}`, both],
      [`originChainId=${beta}`, []],
      [`chainId=${beta}`, both],
      [`term=${fixture.alpha.wallet(0).account.address}`, both],
      [`term=${fresh()}`, []],
    ] as const) {
      await expectFound(`v3?${query}`, expected);
    }
  });

  // @spec requests-v3/authenticated requests-v2/authenticated record-v3/referrer auth/own-data
  it("the referrer of a request: is shown by both versions to its own key, and never to another", async () => {
    const shown = async (key: string) => {
      const query = `id=${refunded}&includeAuthenticatedData=true`;
      const [older] = (await pageOf(`v2?${query}`, key)).requests;
      const [newer] = (await pageOf(`v3?${query}`, key)).requests;
      expect([older?.id, newer?.id]).to.deep.equal([refunded, refunded]);
      return [older?.referrer, newer?.data.referrer];
    };
    expect(await shown(foreignKey)).to.deep.equal(["shop", "shop"]);
    expect(await shown(ownKey())).to.deep.equal([undefined, undefined]);
  });
});
