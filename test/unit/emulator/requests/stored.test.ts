import { expect } from "chai";
import fc from "fast-check";
import { type Hex, serializeTransaction, zeroAddress } from "viem";
import * as z from "zod";
import { routerVersions } from "../../../../emulator/chains/Chain.ts";
import { type Intent, parseIntent, serializeIntent } from "../../../../emulator/requests/Intent.ts";
import { sentTransaction } from "../../../../emulator/requests/record/sentTransaction.ts";
import { parseStoredQuote, serializeStoredQuote } from "../../../../emulator/requests/StoredQuote.ts";
import { tradeTypes } from "../../../../src/schema/quote/tradeType.ts";
import { requestTypes } from "../../../../src/schema/request/requestType.ts";
import { erc20Data } from "../../../helpers/erc20Data.ts";
import { address, bytes, bytes32, uint256 } from "../../records/support/arbitraries.ts";
import { fakeChains, recipient, usdc } from "../support/fakeChains.ts";
import { intent } from "../support/requests.ts";

const bps = fc.integer({ max: 10_000, min: 0 });

const count = fc.nat(Number.MAX_SAFE_INTEGER);

const chainId = fc.integer({ max: Number.MAX_SAFE_INTEGER, min: 1 });

const anyIntent: fc.Arbitrary<Intent> = fc.record({
  appFees: fc.array(fc.record({ amount: uint256, bps, recipient: address }), { maxLength: 3 }),
  deposit: fc.record({
    amount: uint256,
    currency: address,
    minimumAmount: uint256,
    via: fc.constantFrom("depository", "self"),
  }),
  destination: fc.record({ amount: uint256, chainId, currency: address, minimumAmount: uint256 }),
  expiresAt: count,
  fill: fc.record({
    amount: uint256,
    currency: address,
    maximumAmount: uint256,
    path: fc.array(address, { maxLength: 3 }),
  }),
  kind: fc.constantFrom(...requestTypes),
  orderId: bytes32,
  origin: fc.record({ amount: uint256, chainId, currency: address }),
  own: fc.option(fc.record({ dataHash: bytes32, to: address, value: uint256 })),
  recipient: address,
  refundTo: address,
  requestId: bytes32,
  routerVersion: fc.constantFrom(...routerVersions),
  slippageBps: bps,
  tradeType: fc.constantFrom(...tradeTypes),
  txs: fc.array(fc.record({ data: bytes(0, 300), to: address, value: uint256 }), { maxLength: 5 }),
  txsGasLimit: fc.option(count),
  useExternalLiquidity: fc.boolean(),
  user: address,
});

describe("Intent", () => {
  it("any intent: is parsed as it was serialized", () => {
    fc.assert(
      fc.property(anyIntent, (written) => {
        expect(parseIntent(serializeIntent(written))).to.deep.equal(written);
      }),
    );
  });

  it("an intent with a missing or malformed field: throws", () => {
    const stored: Record<string, unknown> = JSON.parse(serializeIntent(intent));
    for (const field of Object.keys(stored)) {
      const { [field]: _, ...rest } = stored;
      expect(() => parseIntent(JSON.stringify(rest)), field).to.throw();
    }
    for (const damage of [
      { recipient: "0x12" },
      { orderId: "0x" },
      { origin: { ...intent.origin, amount: "-1" } },
    ]) {
      expect(() => parseIntent(JSON.stringify({ ...stored, ...damage })), JSON.stringify(damage)).to.throw();
    }
    expect(() => parseIntent("{")).to.throw();
  });
});

const appFee = {
  amount: "5",
  amountFormatted: "0.000005",
  amountUsd: "0.000005",
  bps: "10",
  recipient: "0x",
};

const currency = { address: "0x01", chainId: 31337, decimals: 6, name: "USD Coin", symbol: "USDC" };

const stored = { appFeeCurrency: currency, appFees: [appFee], details: {}, fees: {} };

describe("parseStoredQuote", () => {
  it("reads what serializeStoredQuote wrote, fields that only the answer has included", () => {
    const quote = { ...stored, details: { rate: "1", sender: "0x" }, protocol: { v2: {} } };
    const json = serializeStoredQuote(quote as never);
    expect(parseStoredQuote(json)).to.deep.equal(quote);
  });

  it("throws for an app fee that is no whole number, a currency without decimals, and no details", () => {
    const { decimals: _, ...withoutDecimals } = currency;
    for (const wrong of [
      { ...stored, appFees: [{ ...appFee, amount: "0.5" }] },
      { ...stored, appFeeCurrency: withoutDecimals },
      { ...stored, details: undefined },
      { ...stored, fees: "none" },
    ]) {
      expect(() => parseStoredQuote(JSON.stringify(wrong)), JSON.stringify(wrong)).to.throw(z.core.$ZodError);
    }
  });
});

const requestId = `0x${"ab".repeat(32)}` as const;

/** Decodes a transaction of the solver on the first chain. */
function decoded(to: Hex | undefined, value: bigint, data: Hex) {
  const raw = serializeTransaction({ chainId: 31337, data, to, type: "eip1559", value });
  return sentTransaction({ chain_id: 31337, raw }, { chains: fakeChains });
}

describe("sentTransaction", () => {
  it("native money with the requestId or nothing, of one wei or more: is a plain transfer", () => {
    for (const data of ["0x", requestId] as const) {
      for (const value of [1n, 10n ** 18n]) {
        const transfer = { amount: value, currency: zeroAddress };
        const to = recipient.toLowerCase();
        expect(decoded(recipient, value, data)).to.deep.equal({ data, to, transfer, value });
      }
    }
  });

  it("a call that is longer than a requestId, or without money: is no plain transfer", () => {
    expect(decoded(recipient, 5n, `${requestId}00`)).to.include({ transfer: undefined, value: 5n });
    expect(decoded(recipient, 0n, "0x")).to.include({ transfer: undefined, value: 0n });
    expect(decoded(recipient, 0n, requestId)).to.include({ transfer: undefined });
  });

  it("a transfer of tokens, with the requestId behind it: is of its token and amount", () => {
    const data: Hex = `${erc20Data("transfer", recipient, 77n)}${requestId.slice(2)}`;
    expect(decoded(usdc.address, 0n, data)?.transfer).to.deep.equal({
      amount: 77n,
      currency: usdc.address.toLowerCase(),
    });
  });

  it("a deployment, and bytes of no transaction: are nothing", () => {
    expect(decoded(undefined, 0n, "0x00")).to.equal(undefined);
    expect(sentTransaction({ chain_id: 31337, raw: "0x12" }, { chains: fakeChains })).to.equal(undefined);
  });
});
