import type { EmulatorFixture } from "../../helpers/emulatorFixture.ts";
import type { PageToken } from "./page/settings.ts";

export type Side = "alpha" | "beta";

/** A currency of a chain as the page passes it to the widget. */
export function pageToken(fixture: EmulatorFixture, [side, symbol]: readonly [Side, string]): PageToken {
  const { info } = fixture[side];
  const currency = info.currencies.find((each) => each.symbol === symbol);
  if (currency === undefined) throw new Error(`${side} has no ${symbol}`);
  const logoURI = `${fixture.emulator.info.apiUrl}/images/currencies/${symbol.toLowerCase()}`;
  return { ...currency, address: currency.address.toLowerCase(), chainId: info.id, logoURI, name: symbol };
}
