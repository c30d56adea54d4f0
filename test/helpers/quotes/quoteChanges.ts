import type { Hex } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import type { QuotePolicy } from "../../../src/calls/verify/VerifyQuoteParameters.ts";
import type { GetQuoteParameters, Quote } from "../../../src/client/index.ts";
import type { EvmTransactionData } from "../../../src/schema/quote/step.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { fiftyDollars, recipient, type TestSymbol } from "./intents.ts";

/** The account that a changed quote pays. */
export const attacker: Hex = "0x00000000000000000000000000000000000bad00";

/** An id without an order. */
export const strayId: Hex = `0x${"0d".repeat(32)}`;

/** The emulator's contracts and solver, and the bounds that a quote sets itself. */
export function policyOf({ emulator }: EmulatorFixture, quote?: Quote): QuotePolicy {
  const trust = trustOfEmulator(emulator.info);
  if (quote === undefined) return { bounds: "none", trust };
  const { currencyIn, currencyOut } = quote.details;
  return {
    maximumInput: BigInt(currencyIn.amount),
    minimumOutput: BigInt(currencyOut.minimumAmount ?? currencyOut.amount),
    trust,
  };
}

/** An intent of the first user: about fifty dollars, with the protocol's data. */
export function requestOf(
  fixture: EmulatorFixture,
  from: TestSymbol,
  to: TestSymbol,
  more: Partial<GetQuoteParameters> & { sameChain?: boolean } = {},
): GetQuoteParameters {
  const { sameChain = false, ...overrides } = more;
  const { alpha, beta } = fixture;
  const destination = sameChain ? alpha : beta;
  const tradeType = overrides.tradeType ?? "EXACT_INPUT";
  return {
    amount: fiftyDollars(tradeType === "EXACT_INPUT" ? from : to),
    destinationChainId: destination.info.id,
    destinationCurrency: destination.currency(to),
    includeProtocolData: true,
    originChainId: alpha.info.id,
    originCurrency: alpha.currency(from),
    recipient,
    tradeType,
    user: alpha.wallet(0).account.address,
    ...overrides,
  };
}

/** The payment of a quote: its last transaction. */
export function paymentOf(quote: Quote): EvmTransactionData {
  return transactionOf(quote, quote.steps.length - 1);
}

/** The transaction of a step. */
export function transactionOf(quote: Quote, stepIndex: number): EvmTransactionData {
  const step = quote.steps[stepIndex];
  const data = step?.kind === "transaction" ? step.items[0]?.data : undefined;
  if (data?.to === undefined) throw new Error("the quote has no such transaction");
  return data as EvmTransactionData;
}

/** The order of a quote, and its parts. */
export function orderOf(quote: Quote) {
  const protocol = quote.protocol?.v2;
  const order = protocol?.orderData;
  const [input, payment] = [order?.inputs[0], order?.output.payments[0]];
  if (protocol === undefined || order === undefined || input === undefined || payment === undefined) {
    throw new Error("the quote has no order");
  }
  return { input, order, payment, protocol };
}

/** Replaces a word everywhere in calldata. */
export function replaceWord(data: EvmTransactionData, from: string, to: string): void {
  const [old, fresh] = [from, to].map((word) => word.toLowerCase().replace(/^0x/, "").padStart(64, "0"));
  const changed = (data.data ?? "0x").replaceAll(old ?? "", fresh ?? "");
  if (changed === data.data) throw new Error("the calldata has no such word");
  data.data = changed as Hex;
}

/** The paid amount as a word of calldata. */
export function amountWord(quote: Quote): string {
  return BigInt(quote.details.currencyIn.amount).toString(16);
}

/** A step that requests a permission to pull the payment, and posts it to `endpoint`. */
export function signatureStep(
  { alpha }: EmulatorFixture,
  quote: Quote,
  endpoint: string,
): Quote["steps"][number] {
  return {
    action: "Sign",
    description: "Permit",
    id: "authorize",
    items: [
      {
        data: {
          post: { body: {}, endpoint, method: "POST" },
          sign: {
            domain: { chainId: alpha.info.id, verifyingContract: alpha.currency("USDC") },
            primaryType: "Permit",
            signatureKind: "eip712",
            types: {
              Permit: ["owner", "spender", "value", "deadline"].map((name) => ({ name, type: "uint256" })),
            },
            value: {
              deadline: "99999999999",
              owner: quote.details.sender,
              spender: alpha.info.contracts.v3.approvalProxy,
              value: quote.details.currencyIn.amount,
            },
          },
        },
        status: "incomplete",
      },
    ],
    kind: "signature",
    requestId: quote.steps[0]?.requestId,
  } as Quote["steps"][number];
}
