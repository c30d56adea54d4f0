import { expect } from "chai";
import { drawNonce } from "../../../../emulator/perps/openExchange.ts";
import type { Store } from "../../../../emulator/store/tables.ts";

import { forEachDialect } from "../../../helpers/processes/stores.ts";

const now = 1_800_000_000_000;
const day = 86_400_000;

forEachDialect("drawNonce", (kind) => {
  let store: Store;
  beforeEach(async () => {
    ({ store } = await kind.open());
  });

  it("a time that no nonce has: is the nonce", async () => {
    expect(await drawNonce(store, now)).to.equal(now);
    expect(await drawNonce(store, now + 5)).to.equal(now + 5);
  });

  it("fifty draws at one time: are fifty different nonces from that time on", async () => {
    const drawn = await Promise.all(Array.from({ length: 50 }, () => drawNonce(store, now)));
    expect([...drawn].sort()).to.deep.equal(Array.from({ length: 50 }, (_, index) => now + index));
  });

  it("a clock that is set back by a day: draws the present time, and goes on from there", async () => {
    await drawNonce(store, now + day);
    expect(await drawNonce(store, now)).to.equal(now);
    expect(await drawNonce(store, now)).to.equal(now + 1);
  });
});
