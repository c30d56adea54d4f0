import { expect } from "chai";
import { checkReceiverCurrency, ReceiverCurrencyError } from "../../../src/client/index.ts";
import { native, token, user } from "./support/samples.ts";

const chain = {
  id: 31337,
  solverCurrencies: [
    { address: native, decimals: 18, name: "Ether", symbol: "ETH" },
    { address: token.toLowerCase(), decimals: 6, name: "USD Coin", symbol: "USDC" },
  ],
};

function errorOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

describe("checkReceiverCurrency", () => {
  it("a solver currency in any letter case: returns all that a receiver takes", () => {
    const accepted = [
      { address: native, symbol: "ETH" },
      { address: token.toLowerCase(), symbol: "USDC" },
    ];
    for (const currency of [native, token, token.toLowerCase()] as const) {
      expect(checkReceiverCurrency({ chain, currency: currency as typeof native })).to.deep.equal(accepted);
    }
  });

  it("another currency: is refused with the accepted ones and the way that works", () => {
    const error = errorOf(() => checkReceiverCurrency({ chain, currency: user }));
    expect(error).to.be.instanceOf(ReceiverCurrencyError);
    expect(error).to.include({ chainId: 31337, code: "RECEIVER_CURRENCY", currency: user });
    expect(error).to.have.property("message").which.includes("USDC").and.includes("swap before the deposit");
  });

  it("a chain without solver currencies, and a value that is no address: are named", () => {
    const bare = errorOf(() => checkReceiverCurrency({ chain: { id: 1 }, currency: native }));
    expect(bare).to.include({ code: "INVALID_PARAMETER", parameter: "chain.solverCurrencies" });
    const invalid = errorOf(() => checkReceiverCurrency({ chain, currency: "ETH" as typeof native }));
    expect(invalid).to.include({ code: "INVALID_PARAMETER", parameter: "currency" });
  });
});
