import { expect } from "chai";
import fc from "fast-check";
import type { Hex } from "viem";
import { formatExchangeAmount, parseExchangeAmount } from "../../../src/perps/amounts.ts";
import { perpsUsdcAddress } from "../../../src/perps/constants.ts";
import {
  decodeExchangeCurrency,
  type ExchangeCurrency,
  encodeExchangeCurrency,
} from "../../../src/perps/currency.ts";
import { bytes, maxUint256, uint256 } from "../records/support/arbitraries.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";

const tokenId = "0x6d1e7cde53ba9467b783cb7c530ce054";

describe("the currencies of the exchange", () => {
  // @spec perps/usdc perps/spot perps/market
  it("have the published addresses: of the perps account, the spot account, and a third party's market", () => {
    const published: readonly (readonly [Hex, ExchangeCurrency])[] = [
      ["0x00000000000000000000000000000000", { kind: "perps" }],
      [tokenId, { kind: "spot", tokenId }],
      ["0x6d1e7cde53ba9467b783cb7c530ce05478797a", { kind: "market", market: "xyz", tokenId }],
    ];
    for (const [address, currency] of published) {
      expect(encodeExchangeCurrency({ currency })).to.equal(address);
      expect(decodeExchangeCurrency({ address })).to.deep.equal(currency);
      expect(decodeExchangeCurrency({ address: `0x${address.slice(2).toUpperCase()}` })).to.deep.equal(
        currency,
      );
    }
  });

  it("come back from their addresses, whatever token and market", () => {
    const token = bytes(16).filter((id) => id !== perpsUsdcAddress);
    const name = fc.stringMatching(/^[\x21-\x7e]{1,100}$/);
    fc.assert(
      fc.property(token, name, (id, market) => {
        const address: Hex = `${id}${Buffer.from(market, "ascii").toString("hex")}`;
        const currency: ExchangeCurrency = { kind: "market", market, tokenId: id };
        expect(encodeExchangeCurrency({ currency })).to.equal(address);
        expect(decodeExchangeCurrency({ address })).to.deep.equal(currency);
      }),
    );
  });

  it("are refused where they cannot be, by name", () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ["currency", "perps"],
      ["currency.kind", { kind: "margin" }],
      ["currency.tokenId", { kind: "spot", tokenId: perpsUsdcAddress }],
      ["currency.tokenId", { kind: "spot", tokenId: `${tokenId}78` }],
      ["currency.tokenId", { kind: "market", market: "xyz", tokenId: "0x12" }],
      ["currency.market", { kind: "market", market: "", tokenId }],
      ["currency.market", { kind: "market", market: "x z", tokenId }],
      ["currency.market", { kind: "market", market: "хуz", tokenId }],
      ["currency.market", { kind: "market", market: "x".repeat(101), tokenId }],
    ];
    for (const [place, currency] of wrong) {
      expectInvalid(() => encodeExchangeCurrency({ currency: currency as ExchangeCurrency }), place);
    }
    const zeroMarket = `${perpsUsdcAddress}78797a` as const;
    for (const address of [
      "0x",
      "0x12",
      zeroMarket,
      `${tokenId}00`,
      `${tokenId}ff`,
      `${tokenId}20`,
    ] as Hex[]) {
      expectInvalid(() => decodeExchangeCurrency({ address }), "address", address);
    }
  });
});

describe("the amounts of the exchange", () => {
  // @spec perps/decimals
  it("are exact at every size, unlike numbers", () => {
    expect(parseExchangeAmount({ amount: "13104.514502" })).to.equal(1_310_451_450_200n);
    expect(parseExchangeAmount({ amount: "90071992.54740993" })).to.equal(2n ** 53n + 1n);
    expect(formatExchangeAmount({ amount: 2n ** 53n + 1n })).to.equal("90071992.54740993");
    expect(parseExchangeAmount({ amount: "25.50000000000000" })).to.equal(2_550_000_000n);
    expect(formatExchangeAmount({ amount: 0n })).to.equal("0");
  });

  it("go to text and back, and are what the digits say, for any amount and decimals", () => {
    fc.assert(
      fc.property(uint256, fc.nat(30), (amount, decimals) => {
        const text = formatExchangeAmount({ amount, decimals });
        expect(text).to.match(/^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/);
        expect(parseExchangeAmount({ amount: text, decimals })).to.equal(amount);
        const [whole = "", places = ""] = text.split(".");
        expect(BigInt(whole + places) * 10n ** BigInt(decimals - places.length)).to.equal(amount);
      }),
    );
  });

  it("are refused where digits would be lost, or where they are none", () => {
    const texts = [
      "0.000000001",
      "1e3",
      "-1",
      "+1",
      ".5",
      "1.",
      "",
      " 1",
      "1,5",
      "0x1",
      "NaN",
      "9".repeat(79),
    ];
    for (const amount of texts) expectInvalid(() => parseExchangeAmount({ amount }), "amount", amount);
    expectInvalid(() => parseExchangeAmount({ amount: 1 as unknown as string }), "amount");
    expectInvalid(() => parseExchangeAmount({ amount: maxUint256.toString() }), "amount");
    expectInvalid(() => formatExchangeAmount({ amount: -1n }), "amount");
    expectInvalid(() => formatExchangeAmount({ amount: 1n, decimals: -1 }), "decimals");
    expectInvalid(() => parseExchangeAmount({ amount: "1", decimals: 0.5 }), "decimals");
  });
});
