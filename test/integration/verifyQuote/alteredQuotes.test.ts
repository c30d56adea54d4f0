import { expect } from "chai";
import { encodeFunctionData, erc20Abi } from "viem";
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
import { resignOrder } from "./hostileQuotes.ts";

/** A changed quote, and the mismatch that its proof finds: a code, and a path where the row names one. */
type Row = readonly [name: string, mismatch: string, change: (quote: Quote) => unknown];
type Part = (quote: Quote) => object | undefined;

/** A change that sets fields of a part of the quote. */
const set = (part: Part, fields: object) => (quote: Quote) => Object.assign(part(quote) ?? {}, fields);
/** A change that replaces words of a transaction's calldata. */
const reword = (step: number, word: (quote: Quote) => string, by: string) => (quote: Quote) =>
  replaceWord(transactionOf(quote, step), word(quote), by);

const details: Part = (quote) => quote.details;
const protocol: Part = (quote) => orderOf(quote).protocol;
const paymentDetails: Part = (quote) => orderOf(quote).protocol.paymentDetails;
const order: Part = (quote) => orderOf(quote).order;
const output: Part = (quote) => orderOf(quote).order.output;
const promised: Part = (quote) => orderOf(quote).payment;
const paid: Part = (quote) => orderOf(quote).input.payment;
const refund: Part = (quote) => orderOf(quote).input.refunds[0];
const input: Part = (quote) => quote.details.currencyIn;
const inputCurrency: Part = (quote) => quote.details.currencyIn.currency;
const shownOutput: Part = (quote) => quote.details.currencyOut;
const sender = (quote: Quote) => quote.details.sender;
const approval: Part = (quote) => transactionOf(quote, 0);
const orderId = (quote: Quote) => orderOf(quote).protocol.orderId;
const paymentTarget = (quote: Quote) => paymentOf(quote).to;

/** A mismatch with its whole path: rows write `v2` for the protocol, and `step1` for the transaction of a step. */
const whole = (mismatch: string) =>
  mismatch.replace(" v2.", " protocol.v2.").replace(/ step(\d)/, " steps.$1.items.0.data");
const endpoint = "QUOTE_ENDPOINT steps.0.items.0.data.post.endpoint";
const padded = `0x${"0".repeat(24)}${attacker.slice(2)}`;
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** Changes of a bridge of USDC: an approval, then a deposit. */
const altered: readonly Row[] = [
  [
    "another recipient in the details",
    "QUOTE_RECIPIENT details.recipient",
    set(details, { recipient: attacker }),
  ],
  [
    "another recipient in the order, under the old id",
    "QUOTE_ORDER_ID v2.orderId",
    set(promised, { recipient: attacker }),
  ],
  [
    "an order that pays next to nothing",
    "QUOTE_OUTPUT v2.orderData.output.payments.0.minimumAmount",
    set(promised, { minimumAmount: "1" }),
  ],
  ["an untrusted solver", "QUOTE_SOLVER v2.orderData.solver", set(order, { solver: attacker })],
  [
    "an order signature of another key",
    "QUOTE_SOLVER v2.orderSignature",
    set(protocol, { orderSignature: `0x${"11".repeat(64)}1b` }),
  ],
  [
    "a missing order signature",
    "QUOTE_SOLVER v2.orderSignature",
    set(protocol, { orderSignature: undefined }),
  ],
  [
    "refunds to another account",
    "QUOTE_REFUND v2.orderData.inputs.0.refunds.0.recipient",
    set(refund, { recipient: attacker }),
  ],
  ["an expired order", "QUOTE_DEADLINE v2.orderData.output.deadline", set(output, { deadline: 1 })],
  [
    "a call that the request does not have",
    "QUOTE_CALLS v2.orderData.output.calls",
    set(output, { calls: ["0x12"] }),
  ],
  [
    "an order for another destination",
    "QUOTE_CHAIN v2.orderData.output.chainId",
    set(output, { chainId: "alpha" }),
  ],
  [
    "an order that pays another currency",
    "QUOTE_CURRENCY v2.orderData.output.payments.0.currency",
    set(promised, { currency: attacker }),
  ],
  ["a missing order", "QUOTE_ORDER v2.orderData", set(protocol, { orderData: undefined })],
  [
    "payment details of another order",
    "QUOTE_ORDER v2.paymentDetails.amount",
    set(paymentDetails, { amount: "1" }),
  ],
  ["a deposit on another chain", "QUOTE_CHAIN step1.chainId", set(paymentOf, { chainId: 1 })],
  ["a deposit into another contract", "QUOTE_TARGET step1.to", set(paymentOf, { to: attacker })],
  [
    "a deposit into another contract, which the quote calls the depository",
    "QUOTE_TARGET step1.to",
    (quote) => {
      set(paymentOf, { to: attacker })(quote);
      set(paymentDetails, { depository: attacker })(quote);
    },
  ],
  ["a deposit for another order", "QUOTE_ORDER_ID step1.data.id", reword(1, orderId, strayId)],
  [
    "a deposit in the name of another depositor",
    "QUOTE_SENDER step1.data.depositor",
    reword(1, sender, attacker),
  ],
  [
    "a deposit of another amount",
    "QUOTE_AMOUNT step1.data.amount",
    reword(1, amountWord, (10n ** 12n).toString(16)),
  ],
  ["a deposit that takes native currency as well", "QUOTE_VALUE step1.value", set(paymentOf, { value: "1" })],
  ["a call with an unknown selector", "QUOTE_CALL step1.data", set(paymentOf, { data: "0x12345678" })],
  [
    "the deposit twice",
    "QUOTE_PAYMENT steps",
    ({ steps }) => steps.push(structuredClone(steps.at(-1)) as Quote["steps"][number]),
  ],
  ["an approval without a deposit", "QUOTE_PAYMENT steps", ({ steps }) => steps.pop()],
  ["an approval for another spender", "QUOTE_SPENDER step0.data.spender", reword(0, paymentTarget, attacker)],
  ["an unlimited approval", "QUOTE_AMOUNT step0.data.amount", reword(0, amountWord, "f".repeat(64))],
  [
    "a larger payment than requested",
    "QUOTE_AMOUNT details.currencyIn.amount",
    set(input, { amount: "60000000" }),
  ],
  [
    "another origin chain",
    "QUOTE_CHAIN details.currencyIn.currency.chainId",
    set(inputCurrency, { chainId: 1 }),
  ],
  [
    "more slippage than allowed",
    "QUOTE_OUTPUT details.currencyOut.minimumAmount",
    set(shownOutput, { minimumAmount: "1" }),
  ],
  [
    "steps of two requests",
    "QUOTE_REQUEST_ID steps.1.requestId",
    set(({ steps }) => steps[1], { requestId: strayId }),
  ],
];

/** Changes of the same bridge under a new order id, with the solver's signature. */
const signed: readonly Row[] = [
  ["an amount that is not what is paid", "QUOTE_AMOUNT", set(paid, { amount: "50000004" })],
  ["another token", "QUOTE_CURRENCY", set(paid, { currency: attacker })],
  ["another weight", "QUOTE_ORDER", set(paid, { weight: "2" })],
  ["no inputs", "QUOTE_ORDER", (quote) => orderOf(quote).order.inputs.splice(0)],
  ["two inputs", "QUOTE_ORDER", (quote) => orderOf(quote).order.inputs.push(orderOf(quote).input)],
  ["no refunds", "QUOTE_REFUND", (quote) => orderOf(quote).input.refunds.splice(0)],
  ["a refund in a worthless token", "QUOTE_REFUND", set(refund, { currency: attacker })],
  ["a refund to the attacker", "QUOTE_REFUND", set(refund, { recipient: attacker })],
  ["a refund on another chain", "QUOTE_REFUND", set(refund, { chainId: "base" })],
  ["a refund that ends before the fill", "QUOTE_DEADLINE", set(refund, { deadline: 1 })],
  ["a refund by another contract", "QUOTE_ORDER", set(refund, { extraData: padded })],
  ["a refund above the paid amount", "QUOTE_REFUND", set(refund, { minimumAmount: "50000004" })],
  [
    "fees",
    "QUOTE_ORDER",
    (quote) =>
      orderOf(quote).order.fees.push({
        amount: "1",
        currency: attacker,
        currencyChainId: "beta",
        recipient: attacker,
        recipientChainId: "beta",
      }),
  ],
  ["another destination", "QUOTE_CHAIN", set(output, { chainId: "base" })],
  ["another solver", "QUOTE_SOLVER", set(order, { solver: attacker })],
  ["a fill by another contract", "QUOTE_ORDER", set(output, { extraData: padded })],
  ["calls", "QUOTE_CALLS", set(output, { calls: ["0x"] })],
  ["a deadline before its deposit is mined", "QUOTE_DEADLINE", set(output, { deadline: inSeconds(30) })],
  ["a deadline in a year", "QUOTE_DEADLINE", set(output, { deadline: inSeconds(31_536_000) })],
  ["another version", "QUOTE_ORDER", set(order, { version: "v0" })],
];

describe("verifyQuote of an altered quote", () => {
  const fixture = useEmulator();
  const currency = (symbol: TestSymbol) => fixture.alpha.currency(symbol);
  const askSignature = (url: string) => (quote: Quote) =>
    quote.steps.unshift(signatureStep(fixture, quote, url));
  const replaceBytes = (from: string, to: string) => (quote: Quote) =>
    set(paymentOf, { data: paymentOf(quote).data?.replaceAll(from.slice(2), to.slice(2)) })(quote);

  /** Changes that name the fixture's contracts. */
  const deployed: readonly Row[] = [
    [
      "a transfer to the attacker instead of the deposit",
      "QUOTE_CALL step1.data",
      (quote) => {
        const transfer = { abi: erc20Abi, args: [attacker, 50_000_003n], functionName: "transfer" } as const;
        return set(paymentOf, { data: encodeFunctionData(transfer), to: currency("USDC") })(quote);
      },
    ],
    [
      "an approval of another token",
      "QUOTE_CURRENCY step0.to",
      (quote) => set(approval, { to: currency("WETH") })(quote),
    ],
    [
      "an approval for the shared router",
      "QUOTE_SPENDER step0.data.spender",
      (quote) => reword(0, paymentTarget, fixture.alpha.info.contracts.v3.erc20Router)(quote),
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
  ];

  type Route = readonly [from: TestSymbol, to: TestSymbol, sameChain: boolean];
  type Payment = readonly [...Route, ...Row];
  const [nativeBridge, swap] = [
    ["ETH", "ETH", false],
    ["ETH", "USDC", true],
  ] as const;
  const others: readonly Payment[] = [
    [
      ...nativeBridge,
      "a native deposit for another order",
      "QUOTE_ORDER_ID step0.data.id",
      reword(0, orderId, strayId),
    ],
    [
      ...nativeBridge,
      "a native deposit of another value",
      "QUOTE_VALUE step0.value",
      set(paymentOf, { value: "0x1" }),
    ],
    [
      ...(["WETH", "USDC", false] as const),
      "a swap whose deposit is for another order",
      "QUOTE_ORDER_ID step1.data.calls.1.callData.data.id",
      (quote) => replaceBytes(orderId(quote), strayId)(quote),
    ],
    [
      ...swap,
      "a swap on one chain that refunds another account",
      "QUOTE_REFUND step0.data.refundTo",
      replaceBytes(recipient, attacker),
    ],
    [...swap, "a swap by another router", "QUOTE_TARGET step0.to", set(paymentOf, { to: attacker })],
    [
      "ETH",
      "ETH",
      true,
      "a native payment to another account",
      "QUOTE_RECIPIENT step0.to",
      set(paymentOf, { to: attacker }),
    ],
    [
      "USDC",
      "USDC",
      true,
      "a token payment to another account",
      "QUOTE_RECIPIENT step0.data.to",
      reword(0, () => recipient, attacker),
    ],
    [
      "USDC",
      "WETH",
      true,
      "a swap on one chain that takes another amount",
      "QUOTE_AMOUNT step1.data.amounts.0",
      reword(1, amountWord, "1"),
    ],
  ];

  /** The mismatches of a changed quote; `execute` refuses it without asking the wallet. */
  async function mismatchesOf([from, to, sameChain]: Route, change: (quote: Quote) => unknown) {
    const bounds = from === "USDC" && !sameChain ? { amount: 50_000_003n, slippageTolerance: "200" } : {};
    const request = requestOf(fixture, from, to, { sameChain, ...bounds });
    const quote = structuredClone(await getQuote(fixture.client, request));
    const policy = policyOf(fixture, quote);
    await change(quote);
    const found = await findQuoteMismatches({ ...policy, quote, request });

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
    // The executor finds the last two itself, with or without a proof.
    expect(error)
      .to.have.property("name")
      .that.is.oneOf(["QuoteMismatchError", "StepRejectedError", "ChainMismatchError"]);
    expect(asked).to.deep.equal([]);
    expect(await nonce()).to.equal(before);
    return found;
  }

  const bridges = [...altered, ...deployed].map((row): Payment => ["USDC", "USDC", false, ...row]);
  for (const [from, to, sameChain, name, mismatch, change] of [...bridges, ...others]) {
    // @spec quote/protocol quote/payment-details
    it(`finds ${name}, before the wallet is asked`, async () => {
      const found = await mismatchesOf([from, to, sameChain], change);
      expect(found.map(({ code, path }) => `${code} ${path}`)).to.include(whole(mismatch));
    });
  }

  for (const [name, mismatch, change] of signed) {
    it(`Q10: finds a signed order with ${name}, before the wallet is asked`, async () => {
      const resign = (quote: Quote) => resignOrder(quote, change);
      const found = await mismatchesOf(["USDC", "USDC", false], resign);
      expect([...new Set(found.map(({ code }) => code))]).to.include(mismatch);
    });
  }
});
