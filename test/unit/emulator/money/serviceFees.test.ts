import { expect } from "chai";
import { serviceFeeBps } from "../../../../emulator/money/serviceFees.ts";
import { ether, usdc, usdt, wrappedEther } from "../support/fakeChains.ts";

describe("the service's fee", () => {
  it("is nothing for bridging, a basis point between stable currencies, six otherwise", () => {
    for (const currency of [ether, wrappedEther, usdc, usdt]) {
      expect(serviceFeeBps(currency, currency)).to.equal(0n);
    }
    expect(serviceFeeBps(ether, wrappedEther)).to.equal(0n);
    expect(serviceFeeBps(wrappedEther, ether)).to.equal(0n);
    expect(serviceFeeBps(usdc, usdt)).to.equal(1n);
    expect(serviceFeeBps(usdt, usdc)).to.equal(1n);
    expect(serviceFeeBps(ether, usdc)).to.equal(6n);
    expect(serviceFeeBps(usdt, wrappedEther)).to.equal(6n);
  });
});
