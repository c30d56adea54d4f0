import type { Address, Hex } from "viem";
import { assertVerifyParameters } from "../calls/verify/assertVerifyParameters.ts";
import { checkDetails } from "../calls/verify/checkDetails.ts";
import { checkOrder } from "../calls/verify/checkOrder.ts";
import { normalizeForComparison } from "../calls/verify/normalizeForComparison.ts";
import { productionTrust } from "../calls/verify/productionTrust.ts";
import { expectEqual, expectOneOf, type QuoteCheck, report } from "../calls/verify/QuoteCheck.ts";
import { readBounds } from "../calls/verify/readBounds.ts";
import { type QuoteIntent, readWanted } from "../calls/verify/readWanted.ts";
import type { TrustedChain, TrustRoots } from "../calls/verify/TrustRoots.ts";
import type { QuoteBounds } from "../calls/verify/VerifyQuoteParameters.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import { assertFunction } from "../internal/assertFunction.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readList } from "../internal/readParts.ts";
import { hashQuotedOrder } from "../records/hashQuotedOrder.ts";
import { type Quote, quoteSchema } from "../schema/quote/quote.ts";
import { readBy } from "../schema/wire/readBy.ts";
import { exchangeChainId } from "./constants.ts";
import { exchangeName } from "./nonceMapping.ts";
import { readWithdrawal } from "./readWithdrawal.ts";
import { readSentAsset, type SentAsset } from "./sentAsset.ts";
import { markProven, type UnprovenWithdrawal, type Withdrawal } from "./Withdrawal.ts";
import { WithdrawalInvalidError } from "./WithdrawalInvalidError.ts";

/** Parameters of {@link verifyWithdrawal}. A fixed input needs a minimum output, a fixed output a maximum input. */
export type VerifyWithdrawalParameters = QuoteBounds & {
  /** The wallet's active chain, for the domains of both signatures. Default: 1. */
  readonly chainId?: number | undefined;
  /** Decimals of the withdrawn token in quotes. Default: 8 for USDC; required for other tokens. */
  readonly decimals?: number | undefined;
  /** Maximum seconds that the order stays open, without a `ttl` in the request. Default: seven days. */
  readonly maximumFillSeconds?: number | undefined;
  /** Unix milliseconds. Default: the present. */
  readonly now?: number | undefined;
  readonly quote: Quote;
  /** Parameters of `getQuote`, such as those of `exchangeWithdrawal`. */
  readonly request: QuoteIntent;
  /**
   * Returns the nonce that was signed for an order before, from the caller's own records. Another nonce would pay the order
   * again and is rejected; the same nonce is paid once, so that a withdrawal can be repeated.
   */
  readonly signedNonce?: ((orderId: Hex) => Promise<bigint | undefined> | bigint | undefined) | undefined;
  /**
   * Accounts on the exchange that may be paid. Never from the API. Default: the `depository` that `trust` names for the
   * exchange; without one, the public service's depository for its own solver, else the order's solver.
   */
  readonly solverAccounts?: readonly Address[] | undefined;
  /** Destination chains, the exchange and solvers, never from the API. Default `productionTrust`. */
  readonly trust?: TrustRoots | undefined;
};

/** Return value of {@link verifyWithdrawal}. */
export type VerifyWithdrawalReturnType = Promise<Withdrawal>;

/** Errors of {@link verifyWithdrawal}. */
export type VerifyWithdrawalErrorType = InvalidParameterError | QuoteMismatchError | WithdrawalInvalidError;

/** The exchange in orders. It has no contracts. */
const bareExchange: TrustedChain = {
  chainId: exchangeChainId,
  name: exchangeName,
  routers: [],
  vmType: "hypevm",
};
/**
 * Account on the exchange that withdrawals with the public service pay: its depository, not the solver. Source: the public
 * scripts of the service's allocator, and its live quotes of 2026. Its documentation does not name it.
 */
const productionDepository = "0x66cf0aace1b4e562593bec10ec7868fba9932224";
const orderPath = "protocol.v2.orderData";
const authorizePath = "steps.0.items.0.data";
const depositPath = "steps.1.items.0.data.action.parameters";

/**
 * Proves before signing that a withdrawal from the exchange does exactly what was requested, within the caller's bounds.
 *
 * The order signed by a trusted solver proves recipient, currency, minimum output, calls, deadline and refunds. The first
 * signature may only assign the transfer to that order. The second may only send the order's input, from the requested
 * account and currency, to the trusted
 * account, with the nonce of the first. `docs/perps.md` lists each property.
 *
 * @param parameters The quote, the request, the caller's bounds and the trust roots.
 * @returns The withdrawal, for `signWithdrawal`.
 * @throws {InvalidParameterError} For an invalid part of the quote or of another parameter, by name.
 * @throws {QuoteMismatchError} For the first difference from the request, and all others.
 * @throws {WithdrawalInvalidError} For steps that contradict each other, or would sign anything else.
 *
 * @example
 * import { type VerifyWithdrawalParameters, verifyWithdrawal } from "waybill/perps";
 *
 * declare const parameters: VerifyWithdrawalParameters;
 * const { nonce, orderId } = await verifyWithdrawal(parameters);
 * console.log(nonce, orderId);
 */
export async function verifyWithdrawal(parameters: VerifyWithdrawalParameters): VerifyWithdrawalReturnType {
  const { chainId, now = Date.now(), request, signedNonce, trust = productionTrust } = parameters;
  assertVerifyParameters(parameters);
  if (signedNonce !== undefined) assertFunction("signedNonce", signedNonce);
  const asset = readAsset(parameters);
  const solverAccounts = readSolverAccounts(parameters.solverAccounts);
  const bounds = await readBounds(parameters, request);
  // The copy is proven and read, so that both see one quote.
  const quote = readBy(quoteSchema, parameters.quote, "quote");
  const withdrawal = readWithdrawal({ chainId, decimals: asset.decimals, now, quote });
  const check = startCheck(parameters, quote, { floor: bounds.floor, now, trust });
  checkDetails(check, bounds);
  if (check.chains.destination === undefined) {
    const named = `one of \`trust\` (${trust.chains.map((chain) => chain.chainId)})`;
    const path = "details.currencyOut.currency.chainId";
    report(check, "QUOTE_UNKNOWN_CHAIN", path, named, request.destinationChainId);
  }
  await checkOrder(check);
  checkInput(check);
  checkSteps(check, withdrawal);
  checkTransfer(check, withdrawal, asset);
  checkSolverAccount(check, withdrawal, solverAccounts);
  const [first, ...others] = check.found;
  if (first !== undefined) throw new QuoteMismatchError([first, ...others]);
  expectUnpaid(withdrawal, await signedNonce?.(withdrawal.orderId));
  return markProven(withdrawal);
}

/** Only the caller knows this: an order names no nonce, and the exchange's ledger names no order. */
function expectUnpaid({ nonce }: UnprovenWithdrawal, signed: bigint | undefined): void {
  if (signed === undefined || signed === nonce) return;
  if (typeof signed !== "bigint") {
    throw new InvalidParameterError({
      parameter: "signedNonce",
      reason: "it must return a bigint or undefined",
    });
  }
  throw new WithdrawalInvalidError({
    actual: nonce.toString(),
    expected: signed.toString(),
    fault: "order-signed",
    path: "quote.steps[0].items[0].data.sign.value.nonce",
  });
}

function readAsset({ decimals, request }: VerifyWithdrawalParameters): SentAsset {
  if (request === undefined) {
    const reason = "a withdrawal is proven against what was given to getQuote";
    throw new InvalidParameterError({ parameter: "request", reason });
  }
  if (request.originChainId !== exchangeChainId) {
    const reason = "it is not the exchange: use `execute`";
    throw new InvalidParameterError({ parameter: "request.originChainId", reason });
  }
  return readSentAsset(request.originCurrency, decimals);
}

function readSolverAccounts(accounts: readonly Address[] | undefined): ReadonlySet<string> | undefined {
  if (accounts === undefined) return undefined;
  return new Set(readList(accounts, "solverAccounts", readAddress).map(normalizeForComparison));
}

function startCheck(
  { maximumFillSeconds, request, solverAccounts }: VerifyWithdrawalParameters,
  quote: Quote,
  { floor, now, trust }: { readonly floor: bigint; readonly now: number; readonly trust: TrustRoots },
): QuoteCheck {
  const exchange = trust.chains.find((chain) => chain.chainId === exchangeChainId) ?? bareExchange;
  return {
    approvals: [],
    chains: {
      destination: trust.chains.find((chain) => chain.chainId === request.destinationChainId),
      // `solverAccounts` replaces the depository.
      origin: solverAccounts === undefined ? exchange : { ...exchange, depository: undefined },
    },
    claims: [],
    found: [],
    mappings: [],
    now: Math.floor(now / 1_000),
    orderId: hashQuotedOrder(quote, trust.chains),
    payments: [],
    permits: [],
    policy: { maximumFillSeconds },
    quote,
    requestId: quote.steps[0]?.requestId,
    solvers: new Set(trust.solvers.map(normalizeForComparison)),
    wanted: readWanted(quote, request, floor),
  };
}

/** The order takes exactly what leaves the exchange: there are no swaps before it. */
function checkInput(check: QuoteCheck): void {
  const { quote, wanted } = check;
  const order = quote.protocol?.v2?.orderData;
  if (order === undefined) {
    report(check, "QUOTE_UNSIGNED_OUTPUT", orderPath, "an order that the solver signed", "none");
    return;
  }
  const payment = order.inputs[0]?.payment;
  const path = `${orderPath}.inputs.0.payment`;
  expectEqual(check, "QUOTE_CURRENCY", `${path}.currency`, wanted.originCurrency, payment?.currency);
  expectEqual(check, "QUOTE_AMOUNT", `${path}.amount`, wanted.amountIn, payment?.amount);
}

function checkSteps(check: QuoteCheck, { authorize, orderId, wallet }: UnprovenWithdrawal): void {
  const { quote, requestId, wanted } = check;
  const value = `${authorizePath}.sign.value`;
  expectEqual(check, "QUOTE_SENDER", `${value}.wallet`, wanted.user, wallet);
  expectEqual(check, "QUOTE_SENDER", `${value}.depositor`, wanted.user, authorize.mapping.depositor);
  expectEqual(check, "QUOTE_ORDER_ID", `${value}.id`, check.orderId, orderId);
  expectEqual(check, "QUOTE_ENDPOINT", `${authorizePath}.post.endpoint`, "/authorize", authorize.endpoint);
  for (const [index, step] of quote.steps.entries()) {
    expectEqual(check, "QUOTE_REQUEST_ID", `steps.${index}.requestId`, requestId, step.requestId);
  }
  if (!/^0x[0-9a-fA-F]{64}$/.test(String(requestId))) {
    report(check, "QUOTE_REQUEST_ID", "steps.0.requestId", "32 bytes in hexadecimal", requestId);
  }
}

/** The transfer's amount was compared with the quote's, in the caller's decimals. */
function checkTransfer(check: QuoteCheck, { deposit }: UnprovenWithdrawal, asset: SentAsset): void {
  const { destinationDex, fromSubAccount, hyperliquidChain, sourceDex, token } = deposit.parameters;
  expectEqual(check, "QUOTE_CHAIN", `${depositPath}.hyperliquidChain`, "Mainnet", hyperliquidChain);
  expectEqual(check, "QUOTE_SENDER", `${depositPath}.fromSubAccount`, "", fromSubAccount);
  expectEqual(check, "QUOTE_CURRENCY", `${depositPath}.sourceDex`, asset.dex, sourceDex);
  expectEqual(check, "QUOTE_CURRENCY", `${depositPath}.destinationDex`, asset.dex, destinationDex);
  const { decimals } = check.quote.details.currencyIn.currency;
  expectEqual(check, "QUOTE_DISPLAY", "details.currencyIn.currency.decimals", asset.decimals, decimals);
  const [name, tokenId, ...others] = token.split(":");
  const isNamed = name !== undefined && name !== "" && others.length === 0;
  expectEqual(check, "QUOTE_CURRENCY", `${depositPath}.token`, asset.tokenId, isNamed ? tokenId : token);
  if (asset.name !== undefined) expectEqual(check, "QUOTE_DISPLAY", `${depositPath}.token`, asset.name, name);
}

function checkSolverAccount(
  check: QuoteCheck,
  { deposit }: UnprovenWithdrawal,
  solverAccounts: ReadonlySet<string> | undefined,
): void {
  const { orderData, paymentDetails } = check.quote.protocol?.v2 ?? {};
  const solver = normalizeForComparison(orderData?.solver);
  const ofService = productionTrust.solvers.some((each) => normalizeForComparison(each) === solver);
  const payee = check.chains.origin?.depository ?? (ofService ? productionDepository : solver);
  const known = solverAccounts ?? new Set([normalizeForComparison(payee)]);
  expectOneOf(check, "QUOTE_TARGET", `${depositPath}.destination`, known, deposit.parameters.destination);
  if (paymentDetails === undefined) return;
  const path = "protocol.v2.paymentDetails.depository";
  expectOneOf(check, "QUOTE_TARGET", path, known, paymentDetails.depository);
}
