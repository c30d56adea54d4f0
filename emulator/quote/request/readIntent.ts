import { type Address, zeroAddress } from "viem";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import type { TradeType } from "../../../src/schema/quote/tradeType.ts";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import { isSvmChain, type Place } from "../../context/places.ts";
import { findCurrency, isWrappedNative } from "../../currencies/currencyId.ts";
import { QuoteError } from "../../errors/refusals.ts";
import { defaultSlippageBps, type Usd } from "../../money/prices.ts";
import type { Authorizations } from "../../requests/authorizations.ts";
import type { IntentCall } from "../../requests/Intent.ts";
import type { RequestType } from "../../store/tables/requestTables.ts";
import {
  type AppFeeShare,
  type DepositAddressOptions,
  type FixedRate,
  type ProtocolVersion,
  readAppFees,
  readAuthorizationList,
  readDepositAddress,
  readDepositGasLimit,
  readFixedRate,
  readProtocolVersion,
  readSwapSources,
  readTopup,
  refuseOutsideEvm,
  refuseUnsupported,
  type SwapSources,
} from "./options.ts";
import { parseAccount } from "./parseAccount.ts";

/** A quote request with resolved chains, currencies and addresses. */
export type ReadIntent<Origin extends Place = Chain, Destination extends Place = Place> = {
  readonly kind: RequestType;
  readonly tradeType: TradeType;
  readonly origin: Origin;
  readonly destination: Destination;
  readonly currencyIn: LocalCurrency;
  readonly currencyOut: LocalCurrency;
  readonly user: Address;
  readonly recipient: Address;
  /** The zero address stands for the sender of a payment to a deposit address. Without one in the quote, the user. */
  readonly refundTo: Address;
  /** Whether the service refunds by itself: it does not unless the quote names `refundTo` (refunds page). */
  readonly isRefunded: boolean;
  readonly amount: bigint;
  readonly slippageBps: bigint;
  /** `undefined` for a market rate. */
  readonly fixedRate: FixedRate | undefined;
  /** Whether the solver keeps a pool's surplus over a fixed output. */
  readonly trueExactOutput: boolean;
  readonly txs: readonly IntentCall[];
  /** Gas limit of all `txs` together. */
  /** EIP-7702 authorizations of the transaction that makes `txs`. */
  readonly authorizationList: Authorizations;
  /** Gas that the account's own code takes on the origin; above 0, the service sends the payment. */
  readonly originGasOverhead: number;
  readonly txsGasLimit: number | undefined;
  /** Gas limit of the user's same-chain transaction, which makes the calls. */
  readonly depositGasLimit: number | undefined;
  readonly appFees: readonly AppFeeShare[];
  /** Allowed swap sources. */
  readonly sources: SwapSources;
  /** Most hops of a swap on the SVM chain. */
  readonly maxRouteLength: number | undefined;
  readonly useExternalLiquidity: boolean;
  /** Whether the solver executes a same-chain request. Otherwise the user's own transaction does. */
  readonly forceSolverExecution: boolean;
  readonly overridePriceImpact: boolean;
  /** Whether the depository's functions must be called. Otherwise a plain token transfer may be quoted. */
  readonly explicitDeposit: boolean;
  readonly protocolVersion: ProtocolVersion;
  /** Seconds from the quote. */
  readonly ttl: number | undefined;
  /** Worth of native currency that the fill delivers besides the output; zero for none. */
  readonly topup: Usd;
  /** Whether a signature replaces approval and deposit. */
  readonly usePermit: boolean;
  /** Validity of that signature in seconds from the quote. */
  readonly permitExpiry: number | undefined;
  /** The address that replaces the user's deposit. */
  readonly depositAddress: DepositAddressOptions | undefined;
};

/**
 * Resolves a well-formed request against the local chains.
 *
 * @param isLenient See `EmulatorConfig.lenient`.
 */
export function readIntent<Ledger extends Place>(
  request: QuoteRequest,
  chains: ReadonlyMap<number, Ledger>,
  isLenient = false,
): ReadIntent<Ledger, Ledger> {
  refuseUnsupported(request);
  // Validated but unused: deposits after the order's deadline are refunded.
  readSlippage(request.latePaymentSlippageTolerance);
  const origin = requireChain(chains, request.originChainId);
  const destination = requireChain(chains, request.destinationChainId);
  refuseOutsideEvm(request, origin, destination);
  const user = parseAccount(origin, request.user, "INVALID_ADDRESS", "user");
  const recipient =
    request.recipient === undefined
      ? sameAccount(user, origin, destination)
      : parseAccount(destination, request.recipient, "INVALID_RECIPIENT", "recipient");
  const isRefunded = isLenient || request.refundTo !== undefined;
  const depositAddress = readDepositAddress(request, origin, isLenient);
  const refundTo = readRefundTo(request, { origin, user }, depositAddress);
  const currencyIn = requireCurrency(origin, request.originCurrency, "INVALID_INPUT_CURRENCY");
  const currencyOut = requireCurrency(destination, request.destinationCurrency, "INVALID_OUTPUT_CURRENCY");
  const isCurrency = destination.currencies.some(({ address }) => address.toLowerCase() === recipient);
  // The zero address is no currency of the exchange, and has no owner there either.
  if (isCurrency || recipient === zeroAddress) {
    throw new QuoteError("INVALID_RECIPIENT", "The recipient is the zero address or a currency");
  }
  if (depositAddress === undefined || (isRefunded && !depositAddress.refundsSender)) {
    assertRefundable(refundTo, origin);
  }
  const amount = BigInt(request.amount);
  if (amount === 0n) throw new QuoteError("AMOUNT_TOO_LOW", "Amount is zero");
  const txs = readCalls(request);
  const isForced = forcesSolver(request);
  const kind = chooseRequestType({ currencyIn, currencyOut, destination, origin, txs });
  if (kind === "Send" && recipient === user) {
    throw new QuoteError("UNSUPPORTED_ROUTE", "Nothing changes: same chain, same currency, same account");
  }
  if (depositAddress !== undefined && origin === destination && kind !== "Same-chain Swap") {
    throw new QuoteError("UNSUPPORTED_ROUTE", "On one chain, a deposit address takes swaps only");
  }
  assertValues(txs, amount, request.tradeType, currencyOut);
  return {
    amount,
    // A send takes none, without an error (page "App Fees").
    appFees: kind === "Send" ? [] : readAppFees(request),
    authorizationList: readAuthorizationList(request, destination, isForced),
    currencyIn,
    currencyOut,
    depositAddress,
    depositGasLimit: readDepositGasLimit(request, isForced),
    destination,
    explicitDeposit: request.explicitDeposit !== false,
    fixedRate: readFixedRate(request),
    isRefunded,
    forceSolverExecution: isForced,
    kind,
    maxRouteLength: request.maxRouteLength,
    origin,
    originGasOverhead: Number(request.originGasOverhead ?? 0),
    overridePriceImpact: request.overridePriceImpact === true,
    permitExpiry: request.permitExpiry,
    protocolVersion: readProtocolVersion(request, origin),
    recipient,
    refundTo,
    slippageBps: readSlippage(request.slippageTolerance),
    sources: readSwapSources(request),
    tradeType: request.tradeType,
    topup: readTopup(request, { currencyOut, isSameChain: origin === destination }),
    ttl: request.ttl,
    trueExactOutput: request.enableTrueExactOutput === true,
    txs,
    txsGasLimit: request.txsGasLimit,
    useExternalLiquidity: request.useExternalLiquidity === true,
    usePermit: request.usePermit === true,
    user,
  };
}

function readRefundTo(
  { refundTo }: QuoteRequest,
  { origin, user }: { readonly origin: Place; readonly user: Address },
  address: DepositAddressOptions | undefined,
): Address {
  if (address?.refundsSender === true) return zeroAddress;
  return refundTo === undefined ? user : parseAccount(origin, refundTo, "INVALID_ADDRESS", "refundTo");
}

/**
 * Whether the solver executes even a same-chain request. A sponsor's balance is checked before money moves, which the user's
 * own transaction would not wait for; a fixed rate is the solver's; a payment to a deposit address is a plain transfer.
 */
function forcesSolver(request: QuoteRequest): boolean {
  const { fixedRate, forceSolverExecution, subsidizeFees, useDepositAddress } = request;
  return [forceSolverExecution, subsidizeFees, useDepositAddress].includes(true) || fixedRate !== undefined;
}

/** The user's account on the destination; an SVM account exists on its own chain alone. */
function sameAccount(user: Address, origin: Place, destination: Place): Address {
  if (isSvmChain(origin) === isSvmChain(destination)) return user;
  throw new QuoteError(
    "INVALID_RECIPIENT",
    "`recipient` is missing: the user has no account on the destination",
  );
}

/** Refunds are paid on the origin chain. A refund to the zero address or to a token contract would be lost. */
function assertRefundable(refundTo: Address, origin: Place): void {
  if (refundTo === zeroAddress) {
    throw new QuoteError("INVALID_ADDRESS", "Refunds would go to the zero address");
  }
  const token = findCurrency(origin, refundTo);
  if (token !== undefined) {
    throw new QuoteError("INVALID_ADDRESS", `\`refundTo\` is ${token.symbol}: a refund there would be lost`);
  }
}

function readCalls({ txs = [] }: QuoteRequest): readonly IntentCall[] {
  return txs.map(
    ({ data = "0x", to, value = "0" }): IntentCall => ({
      data,
      to: to.toLowerCase() as Address,
      value: BigInt(value),
    }),
  );
}

/**
 * Asserts that `amount` equals the sum of the calls' values (specification, "POST /quote/v2"). The rule applies to a fixed
 * output in native currency: with a fixed input the output varies, and calls on tokens carry no value.
 */
function assertValues(
  txs: readonly IntentCall[],
  amount: bigint,
  tradeType: TradeType,
  currencyOut: LocalCurrency,
): void {
  if (txs.length === 0 || tradeType === "EXACT_INPUT" || currencyOut.address !== zeroAddress) return;
  const sum = txs.reduce((total, { value }) => total + value, 0n);
  if (sum !== amount) {
    throw new QuoteError(
      "INVALID_EXTRA_TXS",
      `The amount must be the sum of the calls' values: it is ${amount}, and they are ${sum}`,
    );
  }
}

/** Finds a chain. @throws QuoteError `UNSUPPORTED_CHAIN` */
export function requireChain<Ledger>(chains: ReadonlyMap<number, Ledger>, id: number): Ledger {
  const chain = chains.get(id);
  if (chain === undefined) throw new QuoteError("UNSUPPORTED_CHAIN", `Chain ${id} is not supported`);
  return chain;
}

function requireCurrency(
  chain: Place,
  value: string,
  errorCode: "INVALID_INPUT_CURRENCY" | "INVALID_OUTPUT_CURRENCY",
): LocalCurrency {
  const currency = findCurrency(chain, value);
  if (currency === undefined) {
    throw new QuoteError(
      errorCode,
      `Invalid input or output currency: chain ${chain.definition.id} has no ${value}`,
    );
  }
  return currency;
}

function readSlippage(value: string | undefined): bigint {
  if (value === undefined) return defaultSlippageBps;
  const isInteger = /^\d{1,5}$/.test(value);
  if (!isInteger || Number(value) > 10_000) {
    throw new QuoteError(
      "INVALID_SLIPPAGE_TOLERANCE",
      "Slippage tolerance must be basis points from 0 to 10000",
    );
  }
  return BigInt(value);
}

/** Request type of an intent (specification, "Request record, version 3"). */
export function chooseRequestType(
  read: Pick<ReadIntent<Place>, "currencyIn" | "currencyOut" | "destination" | "origin" | "txs">,
): RequestType {
  const { currencyIn, currencyOut, destination, origin, txs } = read;
  if (txs.length > 0) return "Call";
  if (origin.definition.id !== destination.definition.id) {
    return currencyIn.symbol === currencyOut.symbol ? "Bridge" : "Crosschain Swap";
  }
  if (currencyIn.address === currencyOut.address) return "Send";
  if (isNative(currencyIn) && isWrappedNative(origin, currencyOut)) return "Wrap";
  return isWrappedNative(origin, currencyIn) && isNative(currencyOut) ? "Unwrap" : "Same-chain Swap";
}

function isNative({ address }: LocalCurrency): boolean {
  return address === zeroAddress;
}
