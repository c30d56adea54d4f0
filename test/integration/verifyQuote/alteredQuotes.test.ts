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

/** A changed quote, and the mismatch that its proof finds: a code, and a path where the row names one. */
type Row = readonly [name: string, mismatch: string, change: (quote: Quote) => unknown];
type Part = (quote: Quote) => object | undefined;

/** A change that sets fields of a part of the quote. */
const set = (part: Part, fields: object) => (quote: Quote) => Object.assign(part(quote) ?? {}, fields);
/** A change that replaces words of a transaction's calldata. */
const reword = (step: number, word: (quote: Quote) => string, by: string) => (quote: Quote) =>
  replaceWord(transactionOf(quote, step), word(quote), by);

const paymentDetails: Part = (quote) => orderOf(quote).protocol.paymentDetails;
const sender = (quote: Quote) => quote.details.sender;
const approval: Part = (quote) => transactionOf(quote, 0);
const orderId = (quote: Quote) => orderOf(quote).protocol.orderId;
const paymentTarget = (quote: Quote) => paymentOf(quote).to;

/** A mismatch with its whole path: rows write `v2` for the protocol, and `step1` for the transaction of a step. */
const whole = (mismatch: string) =>
  mismatch.replace(" v2.", " protocol.v2.").replace(/ step(\d)/, " steps.$1.items.0.data");
const endpoint = "QUOTE_ENDPOINT steps.0.items.0.data.post.endpoint";

/** Rows about one part of the quote. A mismatch names the field that is changed. */
function rowsOf(path: string, part: Part, rows: readonly (readonly [string, string, object])[]): Row[] {
  return rows.map(([name, code, fields]) => {
    return [name, `QUOTE_${code} ${path}.${Object.keys(fields).join()}`, set(part, fields)];
  });
}

/** Changes of a bridge of USDC: an approval, then a deposit. Unit tests change each member of its order. */
const altered: readonly Row[] = [
  ...rowsOf("details", (quote) => quote.details, [
    ["another recipient in the details", "RECIPIENT", { recipient: attacker }],
  ]),
  [
    "another recipient in the order, under the old id",
    "QUOTE_ORDER_ID v2.orderId",
    set((quote) => orderOf(quote).payment, { recipient: attacker }),
  ],
  ...rowsOf("v2.orderData", (quote) => orderOf(quote).order, [
    ["an untrusted solver", "SOLVER", { solver: attacker }],
  ]),
  ...rowsOf("v2", (quote) => orderOf(quote).protocol, [
    ["an order signature of another key", "SOLVER", { orderSignature: `0x${"11".repeat(64)}1b` }],
    ["a missing order signature", "SOLVER", { orderSignature: undefined }],
    ["a missing order", "ORDER", { orderData: undefined }],
  ]),
  ...rowsOf("v2.paymentDetails", paymentDetails, [
    ["payment details of another order", "ORDER", { amount: "1" }],
  ]),
  ...rowsOf("step1", paymentOf, [
    ["a deposit on another chain", "CHAIN", { chainId: 1 }],
    ["a deposit into another contract", "TARGET", { to: attacker }],
    ["a deposit that takes native currency as well", "VALUE", { value: "1" }],
    ["a call with an unknown selector", "CALL", { data: "0x12345678" }],
  ]),
  [
    "a deposit into another contract, which the quote calls the depository",
    "QUOTE_TARGET step1.to",
    (quote) => {
      set(paymentOf, { to: attacker })(quote);
      set(paymentDetails, { depository: attacker })(quote);
    },
  ],
  ["a deposit for another order", "QUOTE_ORDER_ID step1.data.id", reword(1, orderId, strayId)],
  ["a deposit in another name", "QUOTE_SENDER step1.data.depositor", reword(1, sender, attacker)],
  ["a deposit of another amount", "QUOTE_AMOUNT step1.data.amount", reword(1, amountWord, "e8d4a51000")],
  [
    "the deposit twice",
    "QUOTE_PAYMENT steps",
    ({ steps }) => steps.push(structuredClone(steps.at(-1)) as Quote["steps"][number]),
  ],
  ["an approval without a deposit", "QUOTE_PAYMENT steps", ({ steps }) => steps.pop()],
  ["an approval for another spender", "QUOTE_SPENDER step0.data.spender", reword(0, paymentTarget, attacker)],
  ["an unlimited approval", "QUOTE_AMOUNT step0.data.amount", reword(0, amountWord, "f".repeat(64))],
  ...rowsOf("details.currencyIn", (quote) => quote.details.currencyIn, [
    ["a larger payment than requested", "AMOUNT", { amount: "60000000" }],
  ]),
  ...rowsOf("details.currencyIn.currency", (quote) => quote.details.currencyIn.currency, [
    ["another origin chain", "CHAIN", { chainId: 1 }],
  ]),
  ...rowsOf("details.currencyOut", (quote) => quote.details.currencyOut, [
    ["more slippage than allowed", "OUTPUT", { minimumAmount: "1" }],
  ]),
  ...rowsOf("steps.1", ({ steps }) => steps[1], [
    ["steps of two requests", "REQUEST_ID", { requestId: strayId }],
  ]),
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
    ...[
      ["to another host", "https://attacker.example/execute/permits"],
      ["to another host by a protocol-relative URL", "//attacker.example/"],
      ["outside the service's path", "/%2e%2e/execute/permits"],
    ].map(([where, url = ""]): Row => [`a signature that is posted ${where}`, endpoint, askSignature(url)]),
  ];

  type Route = readonly [from: TestSymbol, to: TestSymbol, sameChain: boolean];
  const routes: readonly (readonly [Route, readonly Row[]])[] = [
    [
      ["USDC", "USDC", false],
      [...altered, ...deployed],
    ],
    [
      ["ETH", "ETH", false],
      [
        ["a native deposit for another order", "QUOTE_ORDER_ID step0.data.id", reword(0, orderId, strayId)],
        ["a native deposit of another value", "QUOTE_VALUE step0.value", set(paymentOf, { value: "0x1" })],
      ],
    ],
    [
      ["WETH", "USDC", false],
      [
        [
          "a swap whose deposit is for another order",
          "QUOTE_ORDER_ID step1.data.calls.1.callData.data.id",
          (quote) => replaceBytes(orderId(quote), strayId)(quote),
        ],
      ],
    ],
    [
      ["ETH", "USDC", true],
      [
        [
          "a swap that refunds another account",
          "QUOTE_REFUND step0.data.refundTo",
          replaceBytes(recipient, attacker),
        ],
        ["a swap by another router", "QUOTE_TARGET step0.to", set(paymentOf, { to: attacker })],
      ],
    ],
    [
      ["ETH", "ETH", true],
      [["a native payment to another account", "QUOTE_RECIPIENT step0.to", set(paymentOf, { to: attacker })]],
    ],
    [
      ["USDC", "USDC", true],
      [
        [
          "a token payment to another account",
          "QUOTE_RECIPIENT step0.data.to",
          reword(0, () => recipient, attacker),
        ],
      ],
    ],
    [
      ["USDC", "WETH", true],
      [["a swap that takes another amount", "QUOTE_AMOUNT step1.data.amounts.0", reword(1, amountWord, "1")]],
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

  for (const [route, rows] of routes) {
    for (const [name, mismatch, change] of rows) {
      // @spec quote/protocol quote/payment-details
      it(`finds ${name}, before the wallet is asked`, async () => {
        const found = await mismatchesOf(route, change);
        expect(found.map(({ code, path }) => `${code} ${path}`)).to.include(whole(mismatch));
      });
    }
  }
});
