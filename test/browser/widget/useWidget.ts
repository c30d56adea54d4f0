import { expect } from "chai";
import type { Page } from "playwright-core";
import type { Address } from "viem";
import { type EmulatorFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { openBrowser, type TestBrowser } from "./openBrowser.ts";
import type { PageToken, Settings } from "./page/settings.ts";
import { servePage } from "./servePage.ts";

export type Side = "alpha" | "beta";
/** A currency by chain and symbol. */
type Currency = readonly [Side, string];
export type Pair = { readonly from: Currency; readonly to: Currency };

/** An emulator with a page and a browser for it. */
export type WidgetStage = {
  readonly fixture: EmulatorFixture;
  /** The page's account. */
  account(): Address;
  holdingOf(currency: Currency, of?: Address): Promise<bigint>;
  /** Opens the page with a pair of currencies. */
  open(pair: Pair, more?: Partial<Settings>): Promise<Page>;
};

/**
 * Starts an emulator, a page and a browser before a suite's tests. Expects after each test that no page had troubles.
 *
 * @param entry Script of the page.
 */
export function useWidget(accountIndex: number, entry = "app.tsx"): WidgetStage {
  let site: Awaited<ReturnType<typeof servePage>>;
  let browser: TestBrowser;
  // Before the emulator's own hook: an open page would still ask it.
  after("close page and browser", async () => {
    await browser?.close();
    await site?.close();
  });
  const fixture = useEmulator();
  before("serve the page and open a browser", async () => {
    site = await servePage(entry, fixture.emulator.info.apiUrl);
    browser = await openBrowser();
  });
  afterEach(() => expect(browser.troubles).to.deep.equal([]));
  const account = () => fixture.alpha.wallet(accountIndex).account.address;
  return {
    account,
    fixture,
    holdingOf: ([side, symbol], of = account()) =>
      fixture[side].balanceOf(fixture[side].currency(symbol), of),
    open: ({ from, to }, more = {}) => {
      const { apiUrl, chains } = fixture.emulator.info;
      return browser.open(site.url, {
        accountIndex,
        apiUrl,
        chains: chains.map(({ id, name, rpcUrl }) => ({ id, name, rpcUrl })),
        from: pageToken(fixture, from),
        to: pageToken(fixture, to),
        ...more,
      });
    },
  };
}

/** A currency as the page passes it to the widget. */
function pageToken(fixture: EmulatorFixture, [side, symbol]: Currency): PageToken {
  const { info } = fixture[side];
  const currency = info.currencies.find((each) => each.symbol === symbol);
  if (currency === undefined) throw new Error(`${side} has no ${symbol}`);
  const logoURI = `${fixture.emulator.info.apiUrl}/images/currencies/${symbol.toLowerCase()}`;
  return { ...currency, address: currency.address.toLowerCase(), chainId: info.id, logoURI, name: symbol };
}
