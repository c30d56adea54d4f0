import { expect } from "chai";
import { encodeFunctionData, formatEther, type Hex, parseAbi, zeroAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { productionTrust } from "../../../src/calls/verify/productionTrust.ts";
import type { TrustedChain } from "../../../src/calls/verify/TrustRoots.ts";
import type { VerifyQuoteParameters } from "../../../src/calls/verify/VerifyQuoteParameters.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { hashOrder, signOrder } from "../../../src/records/hashOrder.ts";
import { normalizeOrder, type WireOrder } from "../../../src/records/normalizeOrder.ts";
import type { Quote } from "../../../src/schema/quote/quote.ts";
import { signedOrder } from "../records/support/vectors.ts";

const { orderData, orderId, orderSignature, paymentDetails } = signedOrder;
const user = "0xc4F87C3715374445C4657aa14c47CBB339b59d1A";
const shop = "0x00000000000000000000000000000000000051ab";
const attacker = "0x00000000000000000000000000000000000bad00";
const token = "0x0379e228f6887c6f18bf394042ecaf81b308cb2e";
const padded = `0x${"0".repeat(24)}${attacker.slice(2)}` as const;
const deadline = orderData.output.deadline;
const weekBefore = (deadline - 7 * 24 * 60 * 60) * 1_000;
const requestId = `0x${"a8".repeat(32)}`;
const solver = mnemonicToAccount("test test test test test test test test test test test junk");

const base = productionTrust.chains.find(({ name }) => name === "base") as TrustedChain;
const destination = { ...base, chainId: 4_663, name: "robinhood" };
const trust = { chains: [base, destination], solvers: [...productionTrust.solvers, solver.address] };

const request = {
  amount: 874_803_905_765_355n,
  destinationChainId: destination.chainId,
  destinationCurrency: token,
  originChainId: 8453,
  originCurrency: zeroAddress,
  tradeType: "EXACT_INPUT",
  user,
} satisfies VerifyQuoteParameters["request"];

const depositAbi = parseAbi(["function depositNative(address depositor, bytes32 id) payable"]);

/** A quote as the service gives it with this order. */
function quoteOf(order: WireOrder, id: Hex, signature: Hex, recipient: string = user): Quote {
  const amountOf = (chainId: number, address: string, amount: string, minimumAmount = amount) => ({
    amount,
    amountFormatted: formatEther(BigInt(amount)),
    amountUsd: "1",
    currency: {
      address,
      chainId,
      decimals: 18,
      metadata: { isNative: false, logoURI: "", verified: true },
      name: "Token",
      symbol: "TOK",
    },
    minimumAmount,
  });
  const [payment] = orderData.output.payments;
  return {
    details: {
      currencyIn: amountOf(8453, zeroAddress, paymentDetails.amount),
      currencyOut: amountOf(
        destination.chainId,
        token,
        payment?.expectedAmount ?? "",
        payment?.minimumAmount,
      ),
      operation: "swap",
      recipient,
      sender: user,
    },
    fees: {},
    protocol: {
      v2: { hubType: "onchain", orderData: order, orderId: id, orderSignature: signature, paymentDetails },
    },
    steps: [
      {
        action: "Confirm transaction in your wallet",
        depositAddress: "",
        description: "Depositing funds",
        id: "deposit",
        items: [
          {
            data: {
              chainId: 8453,
              data: encodeFunctionData({ abi: depositAbi, args: [user, id], functionName: "depositNative" }),
              from: user,
              to: paymentDetails.depository,
              value: paymentDetails.amount,
            },
            status: "incomplete",
          },
        ],
        kind: "transaction",
        requestId,
      },
    ],
  } as unknown as Quote;
}

const mismatchesOf = async (quote: Quote, more: object = {}) => {
  const found = await findQuoteMismatches({
    bounds: "none",
    now: weekBefore,
    quote,
    request: { ...request, ...more },
    trust,
  });
  return found.map(({ code, path }) => `${code} ${path.replace("protocol.v2.orderData.", "")}`);
};

/** Quotes the changed order under its own id, signed by a trusted solver, so that only its content is wrong. */
async function resign(change: (order: WireOrder) => unknown, recipient?: string): Promise<Quote> {
  const changed = { ...structuredClone(orderData), solver: solver.address };
  change(changed);
  const order = normalizeOrder({ orderData: changed });
  const signature = await signOrder({ account: solver, order });
  return quoteOf(changed, hashOrder({ order }), signature, recipient);
}

type Row = readonly [what: string, mismatches: string, change: (order: WireOrder) => unknown];
type Part = (order: WireOrder) => object | undefined;
const set = (part: Part, fields: object) => (order: WireOrder) => Object.assign(part(order) ?? {}, fields);

const home: Part = ({ inputs }) => inputs[0]?.refunds[0];
const away: Part = ({ inputs }) => inputs[0]?.refunds[1];
const promised: Part = (order) => order.output.payments[0];
const copyOf = <T>(value: T | undefined, fields: object) => ({ ...structuredClone(value), ...fields }) as T;
const fee = {
  amount: "1",
  currency: zeroAddress,
  currencyChainId: "base",
  recipient: attacker,
  recipientChainId: "base",
};

/** Rows about one part of the order. A mismatch names the field that is changed. */
function rowsOf(path: string, part: Part, rows: readonly (readonly [string, string, object])[]): Row[] {
  return rows.map(([what, code, fields]) => {
    return [what, `QUOTE_${code} ${path}${Object.keys(fields).join()}`, set(part, fields)];
  });
}

const router = base.routers[0]?.router;
const [oneMore, oneLess] = ["874803905765356", "874803905765354"];
const belowMinimum = "4401605382885926480309";

const hostile: readonly Row[] = [
  ...rowsOf("", (order) => order, [
    ["an older version", "ORDER", { version: "v0" }],
    ["an empty version", "ORDER", { version: "" }],
    ["a fee", "ORDER", { fees: [fee] }],
    ["a fee of zero", "ORDER", { fees: [{ ...fee, amount: "0" }] }],
    ["no input", "ORDER", { inputs: [] }],
  ]),
  ["two inputs", "QUOTE_ORDER inputs", ({ inputs }) => inputs.push(copyOf(inputs[0], {}))],
  ...rowsOf("inputs.0.payment.", ({ inputs }) => inputs[0]?.payment, [
    ["an input on the destination", "CHAIN", { chainId: "robinhood" }],
    ["an input on another chain", "CHAIN", { chainId: "optimism" }],
    ["an input in an unlisted token", "CURRENCY", { currency: attacker }],
    ["an input above the payment", "AMOUNT", { amount: oneMore }],
    ["an input below the payment", "AMOUNT", { amount: oneLess }],
    ["an input of zero", "AMOUNT", { amount: "0" }],
    ["a weight of zero", "ORDER", { weight: "0" }],
    ["a weight of two", "ORDER", { weight: "2" }],
  ]),
  ["no refund", "QUOTE_REFUND inputs.0.refunds", ({ inputs }) => inputs[0]?.refunds.splice(0)],
  ["no refund on the origin", "QUOTE_REFUND inputs.0.refunds", ({ inputs }) => inputs[0]?.refunds.shift()],
  ["an origin refund on a third chain", "QUOTE_REFUND inputs.0.refunds", set(home, { chainId: "optimism" })],
  ...rowsOf("inputs.0.refunds.0.", home, [
    ["an origin refund to another account", "REFUND", { recipient: attacker }],
    ["an origin refund to zero", "REFUND", { recipient: zeroAddress }],
    ["an origin refund to the router", "REFUND", { recipient: router }],
    ["an origin refund in another currency", "REFUND", { currency: attacker }],
    ["an origin refund above the input", "REFUND", { minimumAmount: oneMore }],
    ["an origin refund that ends before the fill", "DEADLINE", { deadline: deadline - 1 }],
    ["an origin refund without a deadline", "DEADLINE", { deadline: 0 }],
    ["an origin refund by another contract", "ORDER", { extraData: padded }],
    ["an origin refund without a contract", "ORDER", { extraData: "0x" }],
  ]),
  ...rowsOf("inputs.0.refunds.1.", away, [
    ["a destination refund to another account", "REFUND", { recipient: attacker }],
    ["a destination refund to zero", "REFUND", { recipient: zeroAddress }],
    ["a destination refund to the router", "REFUND", { recipient: router }],
    ["a destination refund to the solver", "REFUND", { recipient: solver.address }],
    ["a destination refund on a third chain", "REFUND", { chainId: "optimism" }],
    ["a destination refund that ends before the fill", "DEADLINE", { deadline: deadline - 1 }],
    ["a destination refund by another contract", "ORDER", { extraData: padded }],
  ]),
  ...[home, away].map((part, index): Row => {
    const what = `a second ${index === 0 ? "origin" : "destination"} refund to another account`;
    const add = (order: WireOrder) =>
      order.inputs[0]?.refunds.push(copyOf(part(order), { recipient: attacker }) as never);
    return [what, "QUOTE_REFUND inputs.0.refunds.2.recipient", add];
  }),
  ...rowsOf("output.", ({ output }) => output, [
    ["an output on the origin", "CHAIN", { chainId: "base" }],
    ["an output on a third chain", "CHAIN", { chainId: "optimism" }],
    ["no payment", "ORDER", { payments: [] }],
    ["a call", "CALLS", { calls: ["0x"] }],
    ["a fill by another contract", "ORDER", { extraData: padded }],
    ["a fill without a contract", "ORDER", { extraData: "0x" }],
    ["a fill that is over", "DEADLINE", { deadline: weekBefore / 1_000 }],
    ["a fill too soon for a deposit", "DEADLINE", { deadline: weekBefore / 1_000 + 30 }],
    ["a fill in a year", "DEADLINE", { deadline: weekBefore / 1_000 + 31_536_000 }],
  ]),
  [
    "two payments",
    "QUOTE_ORDER output.payments",
    ({ output: { payments } }) => payments.push(copyOf(payments[0], { minimumAmount: "1" })),
  ],
  ...rowsOf("output.payments.0.", promised, [
    ["an output to another account", "RECIPIENT", { recipient: attacker }],
    ["an output to the router without calls", "RECIPIENT", { recipient: router }],
    ["an output in another token", "CURRENCY", { currency: attacker }],
    ["an output in the native currency", "CURRENCY", { currency: zeroAddress }],
    ["a minimum one unit lower", "OUTPUT", { minimumAmount: belowMinimum }],
    ["a minimum of zero", "OUTPUT", { minimumAmount: "0" }],
    ["an expected output below the minimum", "OUTPUT", { expectedAmount: belowMinimum }],
  ]),
];

describe("verifyQuote of a published order", () => {
  it("two refunds, the second in the solver's inventory: is proven", async () => {
    expect(await mismatchesOf(quoteOf(orderData, orderId, orderSignature))).to.deep.equal([]);
  });

  for (const [what, accepted, more, recipient] of [
    ["the user, and another recipient", user, {}, shop],
    ["the recipient", shop, {}, shop],
    ["the account that the request names for refunds", attacker, { refundTo: attacker }, shop],
  ] as const) {
    it(`a destination refund to ${what}: is proven`, async () => {
      const quote = await resign((order) => {
        set(promised, { recipient })(order);
        set(away, { recipient: accepted })(order);
        if ("refundTo" in more) set(home, { recipient: more.refundTo })(order);
      }, recipient);
      expect(await mismatchesOf(quote, { recipient, ...more })).to.deep.equal([]);
    });
  }

  for (const [what, mismatch, change] of hostile) {
    it(`${what}: is refused with ${mismatch}`, async () => {
      const found = await mismatchesOf(await resign(change));
      expect(
        found.some((each) => each.startsWith(mismatch)),
        found.join(),
      ).to.equal(true);
    });
  }

  it("any member changed under the solver's signature: is refused", async () => {
    for (const [what, , change] of hostile) {
      const order = structuredClone(orderData);
      change(order);
      const found = await mismatchesOf(quoteOf(order, orderId, orderSignature));
      expect(found.join(), what).to.include("QUOTE_ORDER_ID").and.to.include("QUOTE_SOLVER");
    }
  });
});
