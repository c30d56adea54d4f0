import { expect } from "chai";
import { readPriceHistory, recordPrices } from "../../../../emulator/money/priceHistory.ts";
import { oneUsd } from "../../../../emulator/money/prices.ts";
import type { Store } from "../../../../emulator/store/tables.ts";

import { forEachDialect } from "../../../helpers/processes/stores.ts";
import { ether, usdc } from "../support/fakeChains.ts";

forEachDialect("priceHistory", (kind) => {
  let store: Store;
  before(async () => {
    ({ store } = await kind.open());
    await recordPrices(store, 1_000, { ETH: "3000" });
    await recordPrices(store, 2_000, { ETH: "0.5", USDC: "2" });
    await recordPrices(store, 2_000, { ETH: "4000", USDC: "1.5" });
  });

  const pricesAt = async (since: number, at: number) => {
    const history = await readPriceHistory(store, since);
    return [ether, usdc].map((currency) => history.priced(currency, at).usdPrice);
  };

  it("a time before the first change, and a currency never changed: has the default price", async () => {
    expect(await pricesAt(0, 999)).to.deep.equal([2500n * oneUsd, oneUsd]);
    expect(await pricesAt(0, 1_999)).to.deep.equal([3000n * oneUsd, oneUsd]);
  });

  it("several changes at one moment: the last one holds", async () => {
    for (const at of [2_000, 9_999]) {
      expect(await pricesAt(0, at)).to.deep.equal([4000n * oneUsd, (3n * oneUsd) / 2n]);
    }
  });

  it("a history read from a moment: begins with the price that held then", async () => {
    for (const since of [1_000, 1_500, 2_000, 5_000]) {
      expect((await pricesAt(since, 5_000))[0]).to.equal(4000n * oneUsd);
    }
    expect((await pricesAt(1_500, 1_500))[0]).to.equal(3000n * oneUsd);
  });
});
