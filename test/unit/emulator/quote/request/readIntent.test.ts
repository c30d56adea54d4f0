import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import { QuoteError } from "../../../../../emulator/errors/refusals.ts";
import { chooseRequestType, readIntent } from "../../../../../emulator/quote/request/readIntent.ts";
import type { ServiceErrorCode } from "../../../../../src/errors/serviceErrorCodes.ts";
import { type QuoteRequest, quoteRequestSchema } from "../../../../../src/schema/quote/quoteRequest.ts";
import {
  alpha,
  beta,
  ether,
  fakeChains,
  recipient,
  usdc,
  usdt,
  user,
  wrappedEther,
} from "../../support/fakeChains.ts";

const bridge: QuoteRequest = {
  amount: "1000000000000000000",
  destinationChainId: 31338,
  destinationCurrency: zeroAddress,
  originChainId: 31337,
  originCurrency: zeroAddress,
  tradeType: "EXACT_INPUT",
  user,
};

/** Reads a request that the schema accepts. */
function read(change: Partial<QuoteRequest> = {}) {
  return readIntent(quoteRequestSchema.parse({ ...bridge, ...change }), fakeChains);
}

/** Expects a refusal with a code, and words that name its cause. */
function expectRefused(change: Partial<QuoteRequest>, errorCode: ServiceErrorCode, words = ""): void {
  expect(() => read(change), JSON.stringify(change))
    .to.throw(QuoteError, words)
    .with.property("errorCode", errorCode);
}

const lower = (address: string) => address.toLowerCase();

const [, betaUsdc, betaWeth] = beta.currencies;

const sameChain = { destinationChainId: 31337, recipient: user };

const svmAddress = "So11111111111111111111111111111111111111112";

describe("readIntent", () => {
  it("a minimal request: finds chains and currencies, and fills in the defaults", () => {
    const { currencyIn, destination, origin, txs, ...rest } = read();
    expect([origin, destination, currencyIn]).to.deep.equal([alpha, beta, ether]);
    expect(rest).to.include({
      amount: 10n ** 18n,
      recipient: lower(user),
      refundTo: lower(user),
      slippageBps: 200n,
      user: lower(user),
    });
    expect(txs).to.deep.equal([]);
  });

  // @spec quote-request/refund-to quote-request/recipient quote-request/txs
  it("a request with every term: takes each of them", () => {
    const intent = read({
      originCurrency: usdc.address.toUpperCase().replace("0X", "0x"),
      recipient,
      refundTo: recipient,
      slippageTolerance: "50",
      txs: [{ data: "0x1234", to: recipient, value: "7" }, { to: recipient }],
    });
    const to = lower(recipient);
    expect(intent.currencyIn).to.equal(usdc);
    expect(intent).to.include({ recipient: to, refundTo: to, slippageBps: 50n, user: lower(user) });
    expect(intent.txs.map((tx) => ({ ...tx, to: lower(tx.to) }))).to.deep.equal([
      { data: "0x1234", to, value: 7n },
      { data: "0x", to, value: 0n },
    ]);
  });

  for (const [title, errorCode, words, changes] of [
    [
      "a zero refundTo, explicit or defaulted from user",
      "INVALID_ADDRESS",
      "zero address",
      [{ refundTo: zeroAddress }, { recipient, user: zeroAddress }],
    ],
    [
      "a refundTo that is a token of the origin chain, explicit or defaulted from user",
      "INVALID_ADDRESS",
      "`refundTo` is USDC",
      [{ refundTo: usdc.address }, { refundTo: lower(usdc.address) }, { recipient, user: usdc.address }],
    ],
    [
      "an input currency of another chain, by its id",
      "INVALID_INPUT_CURRENCY",
      "31337",
      [{ originCurrency: "weth" }, { originCurrency: betaUsdc?.address ?? "" }],
    ],
    [
      "an input currency of another virtual machine",
      "INVALID_INPUT_CURRENCY",
      "",
      [{ originCurrency: svmAddress }],
    ],
    [
      "an unknown id of an output currency",
      "INVALID_OUTPUT_CURRENCY",
      "doge",
      [{ destinationCurrency: "doge" }],
    ],
    [
      "an output currency of another chain",
      "INVALID_OUTPUT_CURRENCY",
      "31338",
      [{ destinationCurrency: usdc.address }],
    ],
    ["a malformed output currency", "INVALID_OUTPUT_CURRENCY", "", [{ destinationCurrency: "0x0" }]],
    ["an unknown origin chain", "UNSUPPORTED_CHAIN", "Chain 1 ", [{ originChainId: 1 }]],
    [
      "an unknown destination chain",
      "UNSUPPORTED_CHAIN",
      "Chain 792703809 ",
      [{ destinationChainId: 792703809 }],
    ],
    ...(["user", "refundTo", "recipient"] as const).map(
      (field) =>
        [
          `a ${field} that is no EVM address`,
          field === "recipient" ? "INVALID_RECIPIENT" : "INVALID_ADDRESS",
          `\`${field}\``,
          ["0x", "0x12", `0x${"11".repeat(32)}`, svmAddress].map((wrong) => ({ [field]: wrong })),
        ] as const,
    ),
    [
      "a recipient that is a currency of the destination, the native one included",
      "INVALID_RECIPIENT",
      "currency",
      beta.currencies.flatMap(({ address }) => [
        { recipient: address },
        { recipient: lower(address) },
        { user: address },
      ]),
    ],
    [
      "a currency sent to its sender on the same chain, without calls",
      "UNSUPPORTED_ROUTE",
      "",
      [
        sameChain,
        { ...sameChain, txs: [] },
        { ...sameChain, destinationCurrency: usdc.address, originCurrency: usdc.address },
      ],
    ],
    ["an amount of zero", "AMOUNT_TOO_LOW", "", [{ amount: "0" }, { amount: "000" }]],
    [
      "a slippage tolerance beyond 10000 basis points, or of another form",
      "INVALID_SLIPPAGE_TOLERANCE",
      "",
      ["10001", "99999", "-1", "1.5", "", " ", "0x10", "1e2", "abc", "100000"].flatMap((tolerance) => [
        { slippageTolerance: tolerance },
        { latePaymentSlippageTolerance: tolerance },
      ]),
    ],
  ] as readonly (readonly [string, ServiceErrorCode, string, readonly Partial<QuoteRequest>[]])[]) {
    // @spec quote-request/recipient quote-request/user
    it(`rejects ${title}`, () => {
      for (const change of changes) expectRefused(change, errorCode, words);
    });
  }

  it("a refundTo that is a token of the destination alone, or differs from a zero user: takes it", () => {
    // A refund is paid on the origin chain: an address of another chain's token may be an account there.
    const refundTo = betaUsdc?.address ?? zeroAddress;
    expect(read({ refundTo }).refundTo).to.equal(lower(refundTo));
    expect(read({ recipient, refundTo: user, user: zeroAddress }).refundTo).to.equal(lower(user));
  });

  // @spec quote-request/currencies
  it("currencies by id in any letter case, or by address: finds each on its own chain", () => {
    const byId = read({ destinationCurrency: "USDC", originCurrency: "eth" });
    expect([byId.currencyIn, byId.currencyOut]).to.deep.equal([ether, betaUsdc]);
    expect(read({ originCurrency: "usdc" }).currencyIn).to.equal(usdc);
    expect(read({ destinationCurrency: "weth" }).currencyOut).to.equal(betaWeth);
    expect(read({ destinationCurrency: betaUsdc?.address ?? "" }).currencyOut).to.equal(betaUsdc);
  });

  it("addresses in any letter case, with a wrong checksum: takes them", () => {
    const wrongChecksum: Address = `0x${user.slice(2).toUpperCase()}`;
    expect(read({ user: wrongChecksum }).user).to.equal(lower(user));
    expect(read({ recipient: wrongChecksum }).recipient).to.equal(lower(user));
    expect(read({ txs: [{ to: wrongChecksum }] }).txs[0]?.to).to.equal(lower(user));
  });

  // @spec quote-request/external-liquidity
  it("external liquidity: is used where the request asks for it alone", () => {
    const flags = [read(), read({ useExternalLiquidity: false }), read({ useExternalLiquidity: true })];
    expect(flags.map((intent) => intent.useExternalLiquidity)).to.deep.equal([false, false, true]);
  });

  // @spec quote-request/amount
  it("amounts beyond the safe integers: keeps them exact", () => {
    for (const amount of [2n ** 53n + 1n, 2n ** 256n - 1n]) {
      expect(read({ amount: amount.toString() }).amount).to.equal(amount);
    }
  });
});

describe("chooseRequestType", () => {
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
      expect(chooseRequestType({ currencyIn, currencyOut, destination, origin, txs })).to.equal(type);
    });
  }
});
