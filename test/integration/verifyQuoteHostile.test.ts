import { expect } from "chai";
import { encodeFunctionData, erc20Abi } from "viem";
import type { Quote } from "../../src/client/index.ts";
import { QuoteMismatchError } from "../../src/errors/QuoteMismatchError.ts";
import { execute } from "../../src/execute/index.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
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
  signatureStep,
  strayId,
  transactionOf,
} from "../helpers/quoteChanges.ts";

describe("verifyQuote of a hostile quote", () => {
  let fixture: EmulatorFixture;
  before(async () => {
    fixture = await startFixture();
  });
  after(() => fixture.stop());

  const bridge: readonly Hostile[] = [
    {
      change: (quote) => {
        quote.details.recipient = attacker;
      },
      code: "QUOTE_RECIPIENT",
      name: "another recipient in the details",
      path: "details.recipient",
    },
    {
      change: (quote) => {
        orderOf(quote).payment.recipient = attacker;
      },
      code: "QUOTE_ORDER_ID",
      name: "another recipient in the order, under the old id",
      path: "protocol.v2.orderId",
    },
    {
      change: (quote) => {
        orderOf(quote).payment.minimumAmount = "1";
      },
      code: "QUOTE_OUTPUT",
      name: "an order that pays next to nothing",
      path: "protocol.v2.orderData.output.payments.0.minimumAmount",
    },
    {
      change: (quote) => {
        orderOf(quote).order.solver = attacker;
      },
      code: "QUOTE_SOLVER",
      name: "a solver that is not the service's",
      path: "protocol.v2.orderData.solver",
    },
    {
      change: (quote) => {
        orderOf(quote).protocol.orderSignature = `0x${"11".repeat(64)}1b`;
      },
      code: "QUOTE_SOLVER",
      name: "a signature of somebody else",
      path: "protocol.v2.orderSignature",
    },
    {
      change: (quote) => {
        delete orderOf(quote).protocol.orderSignature;
      },
      code: "QUOTE_SOLVER",
      name: "no signature though one was asked for",
      path: "protocol.v2.orderSignature",
    },
    {
      change: (quote) => {
        for (const refund of orderOf(quote).input.refunds) refund.recipient = attacker;
      },
      code: "QUOTE_REFUND",
      name: "refunds for somebody else",
      path: "protocol.v2.orderData.inputs.0.refunds.0.recipient",
    },
    {
      change: (quote) => {
        orderOf(quote).order.output.deadline = 1;
      },
      code: "QUOTE_DEADLINE",
      name: "an order that is over",
      path: "protocol.v2.orderData.output.deadline",
    },
    {
      change: (quote) => {
        orderOf(quote).order.output.calls.push("0x12");
      },
      code: "QUOTE_CALLS",
      name: "a call that nobody asked for",
      path: "protocol.v2.orderData.output.calls",
    },
    {
      change: (quote) => {
        orderOf(quote).order.output.chainId = "alpha";
      },
      code: "QUOTE_CHAIN",
      name: "an order for another destination",
      path: "protocol.v2.orderData.output.chainId",
    },
    {
      change: (quote) => {
        orderOf(quote).payment.currency = attacker;
      },
      code: "QUOTE_CURRENCY",
      name: "an order that pays another currency",
      path: "protocol.v2.orderData.output.payments.0.currency",
    },
    {
      change: (quote) => {
        delete orderOf(quote).protocol.orderData;
      },
      code: "QUOTE_ORDER",
      name: "no order to look at",
      path: "protocol.v2.orderData",
    },
    {
      change: (quote) => {
        (orderOf(quote).protocol.paymentDetails as { amount: string }).amount = "1";
      },
      code: "QUOTE_ORDER",
      name: "payment details of another order",
      path: "protocol.v2.paymentDetails",
    },
    {
      change: (quote) => {
        paymentOf(quote).chainId = 1;
      },
      code: "QUOTE_CHAIN",
      name: "a deposit on another chain",
      path: "steps.1.items.0.data.chainId",
    },
    {
      change: (quote) => {
        paymentOf(quote).to = attacker;
      },
      code: "QUOTE_TARGET",
      name: "a deposit into another contract",
      path: "steps.1.items.0.data.data",
    },
    {
      change: (quote) => {
        paymentOf(quote).to = attacker;
        (orderOf(quote).protocol.paymentDetails as { depository: string }).depository = attacker;
      },
      code: "QUOTE_TARGET",
      name: "a deposit into another contract, which the quote calls the depository",
      path: "steps.1.items.0.data.data",
    },
    {
      change: (quote) => replaceWord(paymentOf(quote), orderOf(quote).protocol.orderId, strayId),
      code: "QUOTE_ORDER_ID",
      name: "a deposit for another order",
      path: "steps.1.items.0.data.data.id",
    },
    {
      change: (quote) => replaceWord(paymentOf(quote), quote.details.sender, attacker),
      code: "QUOTE_SENDER",
      name: "a deposit in another's name",
      path: "steps.1.items.0.data.data.depositor",
    },
    {
      change: (quote) => replaceWord(paymentOf(quote), amountWord(quote), (10n ** 12n).toString(16)),
      code: "QUOTE_AMOUNT",
      name: "a deposit of another amount",
      path: "steps.1.items.0.data.data.amount",
    },
    {
      change: (quote) => {
        paymentOf(quote).value = "1";
      },
      code: "QUOTE_VALUE",
      name: "a deposit that takes native currency as well",
      path: "steps.1.items.0.data.value",
    },
    {
      change: (quote) => {
        paymentOf(quote).data = "0x12345678";
      },
      code: "QUOTE_CALL",
      name: "a call that nobody knows",
      path: "steps.1.items.0.data.data",
    },
    {
      change: (quote) => {
        const transfer = { abi: erc20Abi, args: [attacker, 50_000_003n], functionName: "transfer" } as const;
        paymentOf(quote).data = encodeFunctionData(transfer);
        paymentOf(quote).to = fixture.alpha.currency("USDC");
      },
      code: "QUOTE_TARGET",
      name: "a transfer to somebody instead of the deposit",
      path: "steps.1.items.0.data.data.to",
    },
    {
      change: (quote) => {
        quote.steps.push(structuredClone(quote.steps.at(-1)) as Quote["steps"][number]);
      },
      code: "QUOTE_PAYMENT",
      name: "the deposit twice",
      path: "steps",
    },
    {
      change: (quote) => {
        quote.steps.pop();
      },
      code: "QUOTE_PAYMENT",
      name: "an approval and no deposit",
      path: "steps",
    },
    {
      change: (quote) => replaceWord(transactionOf(quote, 0), paymentOf(quote).to, attacker),
      code: "QUOTE_SPENDER",
      name: "an approval for another spender",
      path: "steps.0.items.0.data.data.spender",
    },
    {
      change: (quote) => replaceWord(transactionOf(quote, 0), amountWord(quote), "f".repeat(64)),
      code: "QUOTE_AMOUNT",
      name: "an approval without a limit",
      path: "steps.0.items.0.data.data.amount",
    },
    {
      change: (quote) => {
        transactionOf(quote, 0).to = fixture.alpha.currency("WETH");
      },
      code: "QUOTE_CURRENCY",
      name: "an approval of another token",
      path: "steps.0.items.0.data.to",
    },
    {
      change: (quote) => {
        const router = fixture.alpha.info.contracts.v3.erc20Router;
        replaceWord(transactionOf(quote, 0), paymentOf(quote).to, router);
      },
      code: "QUOTE_SPENDER",
      name: "an approval for the router, which everybody uses",
      path: "steps.0.items.0.data.data.spender",
    },
    {
      change: (quote) => {
        quote.details.currencyIn.amount = "60000000";
      },
      code: "QUOTE_AMOUNT",
      name: "more to pay than was asked for",
      path: "details.currencyIn.amount",
    },
    {
      change: (quote) => {
        quote.details.currencyIn.currency.chainId = 1;
      },
      code: "QUOTE_CHAIN",
      name: "another origin",
      path: "details.currencyIn.currency.chainId",
    },
    {
      change: (quote) => {
        quote.details.currencyOut.minimumAmount = "1";
      },
      code: "QUOTE_OUTPUT",
      name: "more slippage than was allowed",
      path: "details.currencyOut.minimumAmount",
    },
    {
      change: (quote) => {
        quote.steps.unshift(signatureStep(fixture, quote, "https://attacker.example/execute/permits"));
      },
      code: "QUOTE_ENDPOINT",
      name: "a signature that goes to another host",
      path: "steps.0.items.0.data.post.endpoint",
    },
    {
      change: (quote) => {
        quote.steps.unshift(signatureStep(fixture, quote, "//attacker.example/"));
      },
      code: "QUOTE_ENDPOINT",
      name: "a signature that goes to another host by a path that looks like one",
      path: "steps.0.items.0.data.post.endpoint",
    },
    {
      change: (quote) => {
        quote.steps.unshift(signatureStep(fixture, quote, "/%2e%2e/execute/permits"));
      },
      code: "QUOTE_ENDPOINT",
      name: "a signature that leaves the path of the service",
      path: "steps.0.items.0.data.post.endpoint",
    },
    {
      change: (quote) => {
        (quote.steps[1] as { requestId: string }).requestId = strayId;
      },
      code: "QUOTE_REQUEST_ID",
      name: "steps of two requests",
      path: "steps.1.requestId",
    },
  ];

  describe("of a bridge that was changed on its way", () => {
    for (const hostile of bridge) {
      it(`finds ${hostile.name}, before the wallet is asked`, async () => {
        const request = requestOf(fixture, "USDC", "USDC", { amount: 50_000_003n, slippageTolerance: "200" });
        const quote = await expectFound(fixture, hostile, { request });
        const wallet = fixture.alpha.wallet(0);
        const asked: string[] = [];
        const refusing = new Proxy(wallet, {
          get: (target, key) => {
            if (/^(?:send|sign|write)/.test(String(key))) asked.push(String(key));
            return Reflect.get(target, key);
          },
        });
        const nonce = await fixture.alpha.reader.getTransactionCount({ address: wallet.account.address });
        const error = await failureOf(
          execute(fixture.client, {
            quote,
            request,
            timeout: 5_000,
            verify: policyOf(fixture),
            wallet: refusing,
          }),
        );
        expect(error).to.satisfy(
          (reason: unknown) =>
            reason instanceof QuoteMismatchError ||
            // These two the executor finds by itself, with or without a proof.
            (reason instanceof Error && ["StepRejectedError", "ChainMismatchError"].includes(reason.name)),
        );
        expect(asked).to.deep.equal([]);
        const after = await fixture.alpha.reader.getTransactionCount({ address: wallet.account.address });
        expect(after).to.equal(nonce);
      });
    }
  });
});
