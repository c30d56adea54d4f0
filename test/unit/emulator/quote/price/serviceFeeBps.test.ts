import { expect } from "chai";
import type { LocalCurrency } from "../../../../../emulator/chains/Chain.ts";
import { serviceFeeBps } from "../../../../../emulator/quote/price/priceIntent.ts";
import { alpha, beta, ether, recipient, usdc, usdt, wrappedEther } from "../../support/fakeChains.ts";

const feeOf = (currencyIn: LocalCurrency, currencyOut: LocalCurrency) =>
  serviceFeeBps({ currencyIn, currencyOut, destination: beta, origin: alpha });

describe("serviceFeeBps", () => {
  it("is 0 for bridging, 1 between stable currencies and 6 otherwise", () => {
    for (const currency of [ether, wrappedEther, usdc, usdt]) {
      expect(feeOf(currency, currency)).to.equal(0n);
    }
    expect(feeOf(ether, wrappedEther)).to.equal(0n);
    expect(feeOf(wrappedEther, ether)).to.equal(0n);
    expect(feeOf(usdc, usdt)).to.equal(1n);
    expect(feeOf(usdt, usdc)).to.equal(1n);
    expect(feeOf(ether, usdc)).to.equal(6n);
    expect(feeOf(usdt, wrappedEther)).to.equal(6n);
  });

  it("a currency of another symbol at the wrapped native address: is wrapped native; of the same symbol elsewhere: is not", () => {
    expect(feeOf(ether, { ...wrappedEther, symbol: "WNT" })).to.equal(0n);
    expect(feeOf(ether, { ...wrappedEther, address: recipient })).to.equal(6n);
  });
});
