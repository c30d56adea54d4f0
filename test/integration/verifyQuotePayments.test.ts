import { expect } from "chai";
import type { Hex } from "viem";
import { verifyQuote } from "../../src/calls/verifyQuote.ts";
import { QuoteMismatchError } from "../../src/errors/QuoteMismatchError.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { recipient, type TestSymbol } from "../helpers/intents.ts";
import {
  amountWord,
  attacker,
  expectFound,
  type Hostile,
  orderOf,
  paymentOf,
  policyOf,
  replaceWord,
  requestOf,
  strayId,
} from "../helpers/quoteChanges.ts";

describe("verifyQuote of a hostile payment", () => {
  let fixture: EmulatorFixture;
  before(async () => {
    fixture = await startFixture();
  });
  after(() => fixture.stop());

  describe("of other quotes that were changed on their way", () => {
    const cases: readonly (Hostile & { from: TestSymbol; to: TestSymbol; sameChain?: boolean })[] = [
      {
        change: (quote) => replaceWord(paymentOf(quote), orderOf(quote).protocol.orderId, strayId),
        code: "QUOTE_ORDER_ID",
        from: "ETH",
        name: "a native deposit for another order",
        path: "steps.0.items.0.data.data.id",
        to: "ETH",
      },
      {
        change: (quote) => {
          paymentOf(quote).value = "0x1";
        },
        code: "QUOTE_VALUE",
        from: "ETH",
        name: "a native deposit of another value",
        path: "steps.0.items.0.data.value",
        to: "ETH",
      },
      {
        change: (quote) => {
          const data = paymentOf(quote);
          data.data = (data.data ?? "0x").replaceAll(
            orderOf(quote).protocol.orderId.slice(2),
            strayId.slice(2),
          ) as Hex;
        },
        code: "QUOTE_ORDER_ID",
        from: "WETH",
        name: "a swap whose deposit is for another order",
        path: "steps.1.items.0.data.data.calls.1.id",
        to: "USDC",
      },
      {
        change: (quote) => {
          const data = paymentOf(quote);
          data.data = (data.data ?? "0x").replaceAll(recipient.slice(2), attacker.slice(2)) as Hex;
        },
        code: "QUOTE_RECIPIENT",
        from: "ETH",
        name: "a swap on one chain that pays somebody else",
        path: "steps.0.items.0.data.data",
        sameChain: true,
        to: "USDC",
      },
      {
        change: (quote) => {
          paymentOf(quote).to = attacker;
        },
        code: "QUOTE_TARGET",
        from: "ETH",
        name: "a swap by another router",
        path: "steps.0.items.0.data.to",
        sameChain: true,
        to: "USDC",
      },
      {
        change: (quote) => {
          paymentOf(quote).to = attacker;
        },
        code: "QUOTE_RECIPIENT",
        from: "ETH",
        name: "a payment to somebody else",
        path: "steps.0.items.0.data.to",
        sameChain: true,
        to: "ETH",
      },
      {
        change: (quote) => replaceWord(paymentOf(quote), recipient, attacker),
        code: "QUOTE_RECIPIENT",
        from: "USDC",
        name: "a token's payment to somebody else",
        path: "steps.0.items.0.data.data.to",
        sameChain: true,
        to: "USDC",
      },
      {
        change: (quote) => replaceWord(paymentOf(quote), amountWord(quote), "1"),
        code: "QUOTE_AMOUNT",
        from: "USDC",
        name: "a swap on one chain that takes another amount",
        path: "steps.1.items.0.data.data.amount",
        sameChain: true,
        to: "WETH",
      },
    ];
    for (const { from, sameChain = false, to, ...hostile } of cases) {
      it(`finds ${hostile.name}`, async () => {
        const request = requestOf(fixture, from, to, { sameChain });
        const quote = await expectFound(fixture, hostile, { request });
        expect(
          await failureOf(verifyQuote({ ...policyOf(fixture, quote), quote, request })),
        ).to.be.instanceOf(QuoteMismatchError);
      });
    }
  });
});
