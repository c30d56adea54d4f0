import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import { QuoteError } from "../../../../../emulator/errors/QuoteError.ts";
import { readIntent } from "../../../../../emulator/quote/request/readIntent.ts";
import type { ServiceErrorCode } from "../../../../../src/errors/serviceErrorCodes.ts";
import { type QuoteRequest, quoteRequestSchema } from "../../../../../src/schema/quote/quoteRequest.ts";
import { alpha, beta, ether, fakeChains, recipient, usdc, user } from "../../support/fakeChains.ts";

const bridge: QuoteRequest = {
  amount: "1000000000000000000",
  destinationChainId: 31338,
  destinationCurrency: zeroAddress,
  originChainId: 31337,
  originCurrency: zeroAddress,
  tradeType: "EXACT_INPUT",
  user,
};

/** Reads a request, which the schema must let through: what it refuses never comes here. */
function read(change: Partial<QuoteRequest> = {}) {
  return readIntent(quoteRequestSchema.parse({ ...bridge, ...change }), fakeChains);
}

/** Expects a refusal with a code, and words that name what is wrong. */
function expectRefused(change: Partial<QuoteRequest>, errorCode: ServiceErrorCode, words = ""): void {
  expect(() => read(change), JSON.stringify(change))
    .to.throw(QuoteError, words)
    .with.property("errorCode", errorCode);
}

describe("readIntent", () => {
  it("finds chains and currencies, and fills in what was left out", () => {
    const intent = read();
    expect(intent.origin).to.equal(alpha);
    expect(intent.destination).to.equal(beta);
    expect(intent.currencyIn).to.equal(ether);
    const lower = user.toLowerCase();
    expect(intent).to.include({
      amount: 10n ** 18n,
      recipient: lower,
      refundTo: lower,
      slippageBps: 200n,
      user: lower,
    });
    expect(intent.txs).to.deep.equal([]);
  });

  it("rejects a zero refundTo, explicit or defaulted from user", () => {
    expectRefused({ refundTo: zeroAddress }, "INVALID_ADDRESS", "zero address");
    expectRefused({ recipient, user: zeroAddress }, "INVALID_ADDRESS", "zero address");
    expect(read({ recipient, refundTo: user, user: zeroAddress }).refundTo).to.equal(user.toLowerCase());
  });

  it("rejects a refundTo that is a token of the origin chain, explicit or defaulted from user", () => {
    expectRefused({ refundTo: usdc.address }, "INVALID_ADDRESS", "`refundTo` is USDC");
    expectRefused({ refundTo: usdc.address.toLowerCase() }, "INVALID_ADDRESS", "`refundTo` is USDC");
    expectRefused({ recipient, user: usdc.address }, "INVALID_ADDRESS", "`refundTo` is USDC");
    // A refund is paid on the origin chain: an address of another chain's token may be an account there.
    const [, betaUsdc] = beta.currencies;
    const refundTo = betaUsdc?.address ?? zeroAddress;
    expect(read({ refundTo }).refundTo).to.equal(refundTo.toLowerCase());
  });

  it("takes token ids as currencies, in any letter case, each on its own chain", () => {
    const [, betaUsdc, betaWeth] = beta.currencies;
    const byId = read({ destinationCurrency: "USDC", originCurrency: "eth" });
    expect([byId.currencyIn, byId.currencyOut]).to.deep.equal([ether, betaUsdc]);
    expect(read({ originCurrency: "usdc" }).currencyIn).to.equal(usdc);
    expect(read({ destinationCurrency: "weth" }).currencyOut).to.equal(betaWeth);
    expectRefused({ originCurrency: "weth" }, "INVALID_INPUT_CURRENCY", "31337");
    expectRefused({ destinationCurrency: "doge" }, "INVALID_OUTPUT_CURRENCY", "doge");
  });

  it("takes what was said", () => {
    const intent = read({
      originCurrency: usdc.address.toUpperCase().replace("0X", "0x"),
      recipient,
      refundTo: recipient,
      slippageTolerance: "50",
      txs: [{ data: "0x1234", to: recipient, value: "7" }, { to: recipient }],
    });
    const lower = recipient.toLowerCase();
    expect(intent.currencyIn).to.equal(usdc);
    expect(intent).to.include({
      recipient: lower,
      refundTo: lower,
      slippageBps: 50n,
      user: user.toLowerCase(),
    });
    expect(intent.txs.map((tx) => ({ ...tx, to: tx.to.toLowerCase() }))).to.deep.equal([
      { data: "0x1234", to: lower, value: 7n },
      { data: "0x", to: lower, value: 0n },
    ]);
  });

  it("finds a currency on its own chain only", () => {
    const [, betaUsdc] = beta.currencies;
    const there = betaUsdc?.address ?? "";
    expect(read({ destinationCurrency: there }).currencyOut).to.equal(betaUsdc);
    expectRefused({ destinationCurrency: usdc.address }, "INVALID_OUTPUT_CURRENCY", "31338");
    expectRefused({ originCurrency: there }, "INVALID_INPUT_CURRENCY", "31337");
    expectRefused(
      { originCurrency: "So11111111111111111111111111111111111111112" },
      "INVALID_INPUT_CURRENCY",
    );
    expectRefused({ destinationCurrency: "0x0" }, "INVALID_OUTPUT_CURRENCY");
  });

  it("refuses chains that are not here", () => {
    expectRefused({ originChainId: 1 }, "UNSUPPORTED_CHAIN", "Chain 1 ");
    expectRefused({ destinationChainId: 792703809 }, "UNSUPPORTED_CHAIN", "Chain 792703809 ");
  });

  it("refuses addresses of other shapes, by the name of the field", () => {
    for (const wrong of [
      "0x",
      "0x12",
      `0x${"11".repeat(32)}`,
      "So11111111111111111111111111111111111111112",
    ]) {
      expectRefused({ user: wrong }, "INVALID_ADDRESS", "`user`");
      expectRefused({ refundTo: wrong }, "INVALID_ADDRESS", "`refundTo`");
      expectRefused({ recipient: wrong }, "INVALID_RECIPIENT", "`recipient`");
    }
  });

  it("takes addresses in any letter case, with a right checksum or not", () => {
    const wrongChecksum: Address = `0x${user.slice(2).toUpperCase()}`;
    expect(read({ user: wrongChecksum }).user).to.equal(user.toLowerCase());
    expect(read({ recipient: wrongChecksum }).recipient).to.equal(user.toLowerCase());
    expect(read({ txs: [{ to: wrongChecksum }] }).txs[0]?.to).to.equal(user.toLowerCase());
  });

  it("refuses a recipient that is a currency of the destination, the native one included", () => {
    for (const { address } of beta.currencies) {
      expectRefused({ recipient: address }, "INVALID_RECIPIENT", "currency");
      expectRefused({ recipient: address.toLowerCase() }, "INVALID_RECIPIENT", "currency");
      expectRefused({ user: address }, "INVALID_RECIPIENT", "currency");
    }
    expect(read({ recipient: usdc.address }).recipient).to.equal(usdc.address.toLowerCase());
  });

  it("refuses to send a currency to oneself on one chain, unless calls come with it", () => {
    const same = { destinationChainId: 31337, recipient: user };
    expectRefused(same, "UNSUPPORTED_ROUTE");
    expectRefused({ ...same, txs: [] }, "UNSUPPORTED_ROUTE");
    expectRefused(
      { ...same, destinationCurrency: usdc.address, originCurrency: usdc.address },
      "UNSUPPORTED_ROUTE",
    );
    expect(read({ ...same, destinationCurrency: usdc.address }).currencyOut).to.equal(usdc);
    expect(read({ ...same, txs: [{ to: recipient }] }).txs).to.have.length(1);
  });

  it("refuses an amount of zero, and keeps the largest exact", () => {
    for (const amount of ["0", "000"]) expectRefused({ amount }, "AMOUNT_TOO_LOW");
    expect(read({ amount: (2n ** 256n - 1n).toString() }).amount).to.equal(2n ** 256n - 1n);
    expect(read({ amount: (2n ** 53n + 1n).toString() }).amount).to.equal(2n ** 53n + 1n);
  });

  it("takes slippage from 0 to 10000 basis points and nothing else", () => {
    for (const slippageTolerance of ["0", "1", "200", "10000"]) {
      expect(read({ slippageTolerance }).slippageBps).to.equal(BigInt(slippageTolerance));
      expect(read({ latePaymentSlippageTolerance: slippageTolerance }).slippageBps).to.equal(200n);
    }
    for (const slippageTolerance of [
      "10001",
      "99999",
      "-1",
      "1.5",
      "",
      " ",
      "0x10",
      "1e2",
      "abc",
      "100000",
    ]) {
      expectRefused({ slippageTolerance }, "INVALID_SLIPPAGE_TOLERANCE");
      expectRefused({ latePaymentSlippageTolerance: slippageTolerance }, "INVALID_SLIPPAGE_TOLERANCE");
    }
  });
});
