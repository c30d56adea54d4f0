import { expect } from "chai";
import { encodeFunctionData, erc20Abi, type Hex } from "viem";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { recipient, type TestSymbol } from "../../helpers/quotes/intents.ts";
import {
  amountWord,
  attacker,
  orderOf,
  paymentOf,
  policyOf,
  replaceWord,
  requestOf,
  signatureStep,
  strayId,
  transactionOf,
} from "../../helpers/quotes/quoteChanges.ts";

/** A changed quote, and the mismatch that its proof finds: code and path. */
type Hostile = readonly [name: string, mismatch: string, change: (quote: Quote) => unknown];

const order = "protocol.v2.orderData";
const transaction = (step: number) => `steps.${step}.items.0.data`;
const endpoint = "QUOTE_ENDPOINT steps.0.items.0.data.post.endpoint";

/** Replaces bytes in the payment wherever they stand. */
function replaceBytes(quote: Quote, from: Hex, to: Hex): void {
  const payment = paymentOf(quote);
  payment.data = (payment.data ?? "0x").replaceAll(from.slice(2), to.slice(2)) as Hex;
}

const replaceId = (quote: Quote) => replaceWord(paymentOf(quote), orderOf(quote).protocol.orderId, strayId);
const sendTo = (to: Hex) => (quote: Quote) => Object.assign(paymentOf(quote), { to });
const setOrder = (member: "input" | "order" | "payment" | "protocol", fields: object) => (quote: Quote) =>
  Object.assign(orderOf(quote)[member], fields);

describe("verifyQuote of a hostile quote", () => {
  const fixture = useEmulator();

  const currency = (symbol: TestSymbol) => fixture.alpha.currency(symbol);
  const askSignature = (url: string) => (quote: Quote) =>
    quote.steps.unshift(signatureStep(fixture, quote, url));

  /** A bridge of USDC: an approval, then a deposit. */
  const bridge: readonly Hostile[] = [
    [
      "another recipient in the details",
      "QUOTE_RECIPIENT details.recipient",
      (quote) => Object.assign(quote.details, { recipient: attacker }),
    ],
    [
      "another recipient in the order, under the old id",
      "QUOTE_ORDER_ID protocol.v2.orderId",
      setOrder("payment", { recipient: attacker }),
    ],
    [
      "an order that pays next to nothing",
      `QUOTE_OUTPUT ${order}.output.payments.0.minimumAmount`,
      setOrder("payment", { minimumAmount: "1" }),
    ],
    ["an untrusted solver", `QUOTE_SOLVER ${order}.solver`, setOrder("order", { solver: attacker })],
    [
      "an order signature of another key",
      "QUOTE_SOLVER protocol.v2.orderSignature",
      setOrder("protocol", { orderSignature: `0x${"11".repeat(64)}1b` }),
    ],
    [
      "a missing order signature",
      "QUOTE_SOLVER protocol.v2.orderSignature",
      (quote) => delete orderOf(quote).protocol.orderSignature,
    ],
    [
      "refunds to another account",
      `QUOTE_REFUND ${order}.inputs.0.refunds.0.recipient`,
      (quote) => orderOf(quote).input.refunds.map((refund) => Object.assign(refund, { recipient: attacker })),
    ],
    [
      "an expired order",
      `QUOTE_DEADLINE ${order}.output.deadline`,
      (quote) => Object.assign(orderOf(quote).order.output, { deadline: 1 }),
    ],
    [
      "a call that the request does not have",
      `QUOTE_CALLS ${order}.output.calls`,
      (quote) => orderOf(quote).order.output.calls.push("0x12"),
    ],
    [
      "an order for another destination",
      `QUOTE_CHAIN ${order}.output.chainId`,
      (quote) => Object.assign(orderOf(quote).order.output, { chainId: "alpha" }),
    ],
    [
      "an order that pays another currency",
      `QUOTE_CURRENCY ${order}.output.payments.0.currency`,
      setOrder("payment", { currency: attacker }),
    ],
    ["a missing order", `QUOTE_ORDER ${order}`, (quote) => delete orderOf(quote).protocol.orderData],
    [
      "payment details of another order",
      "QUOTE_ORDER protocol.v2.paymentDetails",
      (quote) => Object.assign(orderOf(quote).protocol.paymentDetails ?? {}, { amount: "1" }),
    ],
    [
      "a deposit on another chain",
      `QUOTE_CHAIN ${transaction(1)}.chainId`,
      (quote) => Object.assign(paymentOf(quote), { chainId: 1 }),
    ],
    ["a deposit into another contract", `QUOTE_TARGET ${transaction(1)}.data`, sendTo(attacker)],
    [
      "a deposit into another contract, which the quote calls the depository",
      `QUOTE_TARGET ${transaction(1)}.data`,
      (quote) => {
        sendTo(attacker)(quote);
        Object.assign(orderOf(quote).protocol.paymentDetails ?? {}, { depository: attacker });
      },
    ],
    ["a deposit for another order", `QUOTE_ORDER_ID ${transaction(1)}.data.id`, replaceId],
    [
      "a deposit in the name of another depositor",
      `QUOTE_SENDER ${transaction(1)}.data.depositor`,
      (quote) => replaceWord(paymentOf(quote), quote.details.sender, attacker),
    ],
    [
      "a deposit of another amount",
      `QUOTE_AMOUNT ${transaction(1)}.data.amount`,
      (quote) => replaceWord(paymentOf(quote), amountWord(quote), (10n ** 12n).toString(16)),
    ],
    [
      "a deposit that takes native currency as well",
      `QUOTE_VALUE ${transaction(1)}.value`,
      (quote) => Object.assign(paymentOf(quote), { value: "1" }),
    ],
    [
      "a call with an unknown selector",
      `QUOTE_CALL ${transaction(1)}.data`,
      (quote) => Object.assign(paymentOf(quote), { data: "0x12345678" }),
    ],
    [
      "a transfer to the attacker instead of the deposit",
      `QUOTE_TARGET ${transaction(1)}.data.to`,
      (quote) => {
        const transfer = { abi: erc20Abi, args: [attacker, 50_000_003n], functionName: "transfer" } as const;
        Object.assign(paymentOf(quote), { data: encodeFunctionData(transfer), to: currency("USDC") });
      },
    ],
    [
      "the deposit twice",
      "QUOTE_PAYMENT steps",
      (quote) => quote.steps.push(structuredClone(quote.steps.at(-1)) as Quote["steps"][number]),
    ],
    ["an approval without a deposit", "QUOTE_PAYMENT steps", (quote) => quote.steps.pop()],
    [
      "an approval for another spender",
      `QUOTE_SPENDER ${transaction(0)}.data.spender`,
      (quote) => replaceWord(transactionOf(quote, 0), paymentOf(quote).to, attacker),
    ],
    [
      "an unlimited approval",
      `QUOTE_AMOUNT ${transaction(0)}.data.amount`,
      (quote) => replaceWord(transactionOf(quote, 0), amountWord(quote), "f".repeat(64)),
    ],
    [
      "an approval of another token",
      `QUOTE_CURRENCY ${transaction(0)}.to`,
      (quote) => Object.assign(transactionOf(quote, 0), { to: currency("WETH") }),
    ],
    [
      "an approval for the shared router",
      `QUOTE_SPENDER ${transaction(0)}.data.spender`,
      (quote) =>
        replaceWord(
          transactionOf(quote, 0),
          paymentOf(quote).to,
          fixture.alpha.info.contracts.v3.erc20Router,
        ),
    ],
    [
      "a larger payment than requested",
      "QUOTE_AMOUNT details.currencyIn.amount",
      (quote) => Object.assign(quote.details.currencyIn, { amount: "60000000" }),
    ],
    [
      "another origin chain",
      "QUOTE_CHAIN details.currencyIn.currency.chainId",
      (quote) => Object.assign(quote.details.currencyIn.currency, { chainId: 1 }),
    ],
    [
      "more slippage than allowed",
      "QUOTE_OUTPUT details.currencyOut.minimumAmount",
      (quote) => Object.assign(quote.details.currencyOut, { minimumAmount: "1" }),
    ],
    [
      "a signature that is posted to another host",
      endpoint,
      askSignature("https://attacker.example/execute/permits"),
    ],
    [
      "a signature that is posted to another host by a protocol-relative URL",
      endpoint,
      askSignature("//attacker.example/"),
    ],
    [
      "a signature that is posted outside the service's path",
      endpoint,
      askSignature("/%2e%2e/execute/permits"),
    ],
    [
      "steps of two requests",
      "QUOTE_REQUEST_ID steps.1.requestId",
      (quote) => Object.assign(quote.steps[1] ?? {}, { requestId: strayId }),
    ],
  ];

  type Payment = readonly [from: TestSymbol, to: TestSymbol, sameChain: boolean, hostile: Hostile];
  const payments: readonly Payment[] = [
    ...bridge.map((hostile): Payment => ["USDC", "USDC", false, hostile]),
    [
      "ETH",
      "ETH",
      false,
      ["a native deposit for another order", `QUOTE_ORDER_ID ${transaction(0)}.data.id`, replaceId],
    ],
    [
      "ETH",
      "ETH",
      false,
      [
        "a native deposit of another value",
        `QUOTE_VALUE ${transaction(0)}.value`,
        (quote) => Object.assign(paymentOf(quote), { value: "0x1" }),
      ],
    ],
    [
      "WETH",
      "USDC",
      false,
      [
        "a swap whose deposit is for another order",
        `QUOTE_ORDER_ID ${transaction(1)}.data.calls.1.id`,
        (quote) => replaceBytes(quote, orderOf(quote).protocol.orderId as Hex, strayId),
      ],
    ],
    [
      "ETH",
      "USDC",
      true,
      [
        "a swap on one chain that pays another account",
        `QUOTE_RECIPIENT ${transaction(0)}.data`,
        (quote) => replaceBytes(quote, recipient, attacker),
      ],
    ],
    [
      "ETH",
      "USDC",
      true,
      ["a swap by another router", `QUOTE_TARGET ${transaction(0)}.to`, sendTo(attacker)],
    ],
    [
      "ETH",
      "ETH",
      true,
      ["a native payment to another account", `QUOTE_RECIPIENT ${transaction(0)}.to`, sendTo(attacker)],
    ],
    [
      "USDC",
      "USDC",
      true,
      [
        "a token payment to another account",
        `QUOTE_RECIPIENT ${transaction(0)}.data.to`,
        (quote) => replaceWord(paymentOf(quote), recipient, attacker),
      ],
    ],
    [
      "USDC",
      "WETH",
      true,
      [
        "a swap on one chain that takes another amount",
        `QUOTE_AMOUNT ${transaction(1)}.data.amount`,
        (quote) => replaceWord(paymentOf(quote), amountWord(quote), "1"),
      ],
    ],
  ];

  for (const [from, to, sameChain, [name, mismatch, change]] of payments) {
    it(`finds ${name}, before the wallet is asked`, async () => {
      const bounds = from === "USDC" && !sameChain ? { amount: 50_000_003n, slippageTolerance: "200" } : {};
      const request = requestOf(fixture, from, to, { sameChain, ...bounds });
      const quote = structuredClone(await getQuote(fixture.client, request));
      const policy = policyOf(fixture, quote);
      change(quote);
      const found = await findQuoteMismatches({ ...policy, quote, request });
      expect(found.map(({ code, path }) => `${code} ${path}`)).to.include(mismatch);

      const wallet = fixture.alpha.wallet(0);
      const asked: string[] = [];
      const refusing = new Proxy(wallet, {
        get: (target, key) => {
          if (/^(?:send|sign|write)/.test(String(key))) asked.push(String(key));
          return Reflect.get(target, key);
        },
      });
      const nonce = () => fixture.alpha.reader.getTransactionCount({ address: wallet.account.address });
      const before = await nonce();
      const verify = policyOf(fixture);
      const error = await failureOf(
        execute(fixture.client, { quote, request, timeout: 5_000, verify, wallet: refusing }),
      );
      // The last two the executor finds by itself, with or without a proof.
      expect(error)
        .to.have.property("name")
        .that.is.oneOf(["QuoteMismatchError", "StepRejectedError", "ChainMismatchError"]);
      expect(asked).to.deep.equal([]);
      expect(await nonce()).to.equal(before);
    });
  }
});
