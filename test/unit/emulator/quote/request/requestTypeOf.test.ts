import { expect } from "chai";
import { requestTypeOf } from "../../../../../emulator/quote/request/requestTypeOf.ts";
import { alpha, beta, ether, recipient, usdc, usdt, wrappedEther } from "../../support/fakeChains.ts";

describe("requestTypeOf", () => {
  it("says what an intent is in the words of request records", () => {
    const call = { data: "0x", to: recipient, value: 0n } as const;
    const cases = [
      ["Bridge", alpha, beta, ether, ether, []],
      ["Bridge", alpha, beta, usdc, { ...usdc, address: recipient }, []],
      ["Crosschain Swap", alpha, beta, ether, usdc, []],
      ["Same-chain Swap", alpha, alpha, usdc, usdt, []],
      ["Same-chain Swap", alpha, alpha, wrappedEther, usdc, []],
      ["Send", alpha, alpha, usdc, usdc, []],
      ["Same-chain Swap", alpha, alpha, ether, { ...wrappedEther, address: recipient }, []],
      ["Wrap", alpha, alpha, ether, { ...wrappedEther, symbol: "WNT" }, []],
      ["Wrap", beta, beta, ether, wrappedEther, []],
      ["Unwrap", beta, beta, wrappedEther, ether, []],
      ["Call", beta, beta, wrappedEther, ether, [call]],
      ["Call", alpha, beta, ether, ether, [call]],
    ] as const;
    for (const [type, origin, destination, currencyIn, currencyOut, txs] of cases) {
      const read = { currencyIn, currencyOut, destination, origin, txs };
      expect(requestTypeOf(read), `${type}: ${currencyIn.symbol} to ${currencyOut.symbol}`).to.equal(type);
    }
  });
});
