import { expect } from "chai";
import { requestTypeOf } from "../../../../../emulator/quote/request/requestTypeOf.ts";
import { alpha, beta, ether, recipient, usdc, usdt, wrappedEther } from "../../support/fakeChains.ts";

describe("requestTypeOf", () => {
  const call = { data: "0x", to: recipient, value: 0n } as const;
  const otherWeth = { ...wrappedEther, address: recipient };
  for (const [type, origin, destination, currencyIn, currencyOut, txs] of [
    ["Bridge", alpha, beta, ether, ether, []],
    ["Bridge", alpha, beta, usdc, { ...usdc, address: recipient }, []],
    ["Crosschain Swap", alpha, beta, ether, usdc, []],
    ["Same-chain Swap", alpha, alpha, usdc, usdt, []],
    ["Same-chain Swap", alpha, alpha, wrappedEther, usdc, []],
    ["Send", alpha, alpha, usdc, usdc, []],
    ["Same-chain Swap", alpha, alpha, ether, otherWeth, []],
    ["Wrap", alpha, alpha, ether, { ...wrappedEther, symbol: "WNT" }, []],
    ["Wrap", beta, beta, ether, wrappedEther, []],
    ["Unwrap", beta, beta, wrappedEther, ether, []],
    ["Call", beta, beta, wrappedEther, ether, [call]],
    ["Call", alpha, beta, ether, ether, [call]],
  ] as const) {
    const [from, to] = [origin, destination].map(({ definition }) => definition.name);
    const route = `${currencyIn.symbol} of ${from} for ${currencyOut.symbol} of ${to}`;
    // @spec service/intents record-v3/request-type
    it(`${route} with ${txs.length} calls: ${type}`, () => {
      expect(requestTypeOf({ currencyIn, currencyOut, destination, origin, txs })).to.equal(type);
    });
  }
});
