import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbiParameters,
  stringToHex,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readList, readObject, readText } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { hashOrder } from "./hashOrder.ts";
import { type ChainVmTypes, normalizeOrder, type WireOrder } from "./normalizeOrder.ts";
import type { Order } from "./Order.ts";

/** The integrator's terms of an order. Take them from someone else than the order: the user, or your own records. */
export type OrderTerms = {
  /** The pinned solver. Never from the order. */
  readonly solver: Address;
  /** Protocol name of the chain that is paid on, such as `base`. */
  readonly originChain: string;
  /** The deposited token; the zero address for the native currency. */
  readonly currency: Address;
  /** Exactly the deposited amount: a surplus is unprotected. */
  readonly amount: bigint;
  /** Recipient of refunds; not zero. */
  readonly refundTo: Address;
  /** Protocol name of the destination. */
  readonly destinationChain: string;
  /** Bytes of the recipient, as `encodeOrderAddress` gives them. With calls, the router that makes them. */
  readonly recipient: Hex;
  /** Bytes of the output's currency. `any` allows worthless tokens too. */
  readonly outputCurrency: Hex | "any";
  /** Least minimum of the output; not zero. */
  readonly minimumAmount: bigint;
  /** Calls of the output, as `encodeOrderCall` gives them. Default: none. */
  readonly calls?: readonly Hex[] | undefined;
  /** Earliest deadline of the fill, in unix seconds. Default: the time of the check. */
  readonly earliestDeadline?: bigint | undefined;
  /** Latest deadline of the fill, in unix seconds. */
  readonly latestDeadline: bigint;
  /** Largest sum of fees, in `currency`. Default: 0. */
  readonly maximumFees?: bigint | undefined;
};

/** `OrderTerms.Terms` of the Solidity library: names, bytes and calls as hashes. */
export type HashedOrderTerms = Pick<
  Required<OrderTerms>,
  "amount" | "currency" | "minimumAmount" | "refundTo" | "solver"
> & {
  readonly originChain: Hex;
  readonly destinationChain: Hex;
  readonly recipient: Hex;
  /** 1 for any currency. */
  readonly outputCurrency: Hex;
  /** 0 for no calls. */
  readonly callsHash: Hex;
  readonly earliestDeadline: bigint;
  readonly latestDeadline: bigint;
  readonly maximumFees: bigint;
};

export type OrderTermsParameters = {
  /** A quote that was requested with `includeProtocolData: true`. */
  quote: {
    readonly protocol?:
      | {
          readonly v2?:
            | { readonly orderData?: WireOrder | undefined; readonly orderSignature?: string | undefined }
            | undefined;
        }
      | undefined;
  };
  terms: OrderTerms;
  /** VM types of chains other than EVM chains, `solana` and `hyperliquid`. */
  vmTypes?: ChainVmTypes | undefined;
};

export type OrderTermsReturnType = {
  readonly order: Order;
  /** Id computed from the order. */
  readonly orderId: Hex;
  readonly signature: Hex;
  readonly terms: HashedOrderTerms;
  /** `abi.encode(order, signature, terms)`: what follows the selector of a function with these parameters. */
  readonly calldata: Hex;
};

const zeroWord: Hex = `0x${"00".repeat(32)}`;
const anyCurrency: Hex = `0x${"00".repeat(31)}01`;

const parameters = /* @__PURE__ */ parseAbiParameters([
  "Order order, bytes signature, Terms terms",
  "struct Order { string version; string solverChainId; address solver; uint256 salt; Input[] inputs; Output output; Fee[] fees; }",
  "struct Input { InputPayment payment; InputRefund[] refunds; }",
  "struct InputPayment { string chainId; bytes currency; uint256 amount; uint256 weight; }",
  "struct InputRefund { string chainId; bytes recipient; bytes currency; uint256 minimumAmount; uint32 deadline; bytes extraData; }",
  "struct Output { string chainId; OutputPayment[] payments; uint32 deadline; bytes[] calls; bytes extraData; }",
  "struct OutputPayment { bytes recipient; bytes currency; uint256 minimumAmount; uint256 expectedAmount; }",
  "struct Fee { string recipientChainId; bytes recipient; string currencyChainId; bytes currency; uint256 amount; }",
  "struct Terms { address solver; bytes32 originChain; address currency; uint256 amount; address refundTo; bytes32 destinationChain; bytes32 recipient; bytes32 outputCurrency; uint256 minimumAmount; bytes32 callsHash; uint256 earliestDeadline; uint256 latestDeadline; uint256 maximumFees; }",
]);

/**
 * Prepares a quote's signed order for a contract that checks it with the Solidity library `OrderTerms`. It checks nothing:
 * `explainTerms` says beforehand which terms the contract would refuse.
 *
 * @returns The order, its id and signature, the terms as the library takes them, and all of it encoded.
 * @throws {InvalidParameterError} For an invalid field, by path, or a quote without a signed order.
 *
 * @example
 * import { type OrderTerms, type OrderTermsParameters, orderTerms } from "waybill";
 *
 * declare const quote: OrderTermsParameters["quote"];
 * declare const terms: OrderTerms;
 * const { calldata, order, signature } = orderTerms({ quote, terms });
 */
export function orderTerms({ quote, terms, vmTypes }: OrderTermsParameters): OrderTermsReturnType {
  readObject(quote, "quote");
  const { orderData, orderSignature } = quote.protocol?.v2 ?? {};
  for (const [name, value] of Object.entries({ orderData, orderSignature })) {
    if (value !== undefined) continue;
    const reason = "missing; request the quote with `includeProtocolData: true`";
    throw new InvalidParameterError({ parameter: `quote.protocol.v2.${name}`, reason });
  }
  const order = normalizeOrder({ orderData: orderData as WireOrder, vmTypes });
  const signature = readHex(orderSignature, "quote.protocol.v2.orderSignature");
  const hashed = hashTerms(terms);
  return {
    calldata: encodeAbiParameters(parameters, [order, signature, hashed]),
    order,
    orderId: hashOrder({ order }),
    signature,
    terms: hashed,
  };
}

/**
 * Converts terms to the form of the Solidity library.
 *
 * @throws {InvalidParameterError} For an invalid term, by path.
 */
export function hashTerms(terms: OrderTerms): HashedOrderTerms {
  readObject(terms, "terms");
  const { calls = [], earliestDeadline = 0n, maximumFees = 0n, outputCurrency } = terms;
  const nameOf = (side: "destinationChain" | "originChain") =>
    keccak256(stringToHex(readText(terms[side], `terms.${side}`)));
  return {
    amount: readUint256(terms.amount, "terms.amount"),
    callsHash: readList(calls, "terms.calls", readHex).length === 0 ? zeroWord : hashCalls(calls),
    currency: readAddress(terms.currency, "terms.currency"),
    destinationChain: nameOf("destinationChain"),
    earliestDeadline: readUint256(earliestDeadline, "terms.earliestDeadline"),
    latestDeadline: readUint256(terms.latestDeadline, "terms.latestDeadline"),
    maximumFees: readUint256(maximumFees, "terms.maximumFees"),
    minimumAmount: readUint256(terms.minimumAmount, "terms.minimumAmount"),
    originChain: nameOf("originChain"),
    outputCurrency:
      outputCurrency === "any" ? anyCurrency : keccak256(readHex(outputCurrency, "terms.outputCurrency")),
    recipient: keccak256(readHex(terms.recipient, "terms.recipient")),
    refundTo: readAddress(terms.refundTo, "terms.refundTo"),
    solver: readAddress(terms.solver, "terms.solver"),
  };
}

/** EIP-712 hash of a list of calls. */
export function hashCalls(calls: readonly Hex[]): Hex {
  return keccak256(`0x${calls.map((call) => keccak256(call).slice(2)).join("")}`);
}
