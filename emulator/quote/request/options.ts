import { type Address, parseUnits, zeroAddress } from "viem";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import { isZeroAccount, storedAccount } from "../../chains/accountText.ts";
import type { LocalCurrency } from "../../chains/Chain.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/refusals.ts";
import type { ApiKey } from "../../keys/openApiKeys.ts";
import { basisPoints, oneUsd, type Usd, usdOfMicros } from "../../money/prices.ts";
import { type Authorizations, readAuthorizations } from "../../requests/authorizations.ts";
import type { DepositAddressTerms } from "../../requests/Intent.ts";
import { parseAccount, parseAddress } from "./parseAccount.ts";

/** An integrator's share of an intent. */
export type AppFeeShare = { readonly recipient: Address; readonly bps: bigint };

/** Reads the app fees of a quote request. The schema bounds their number. */
export function readAppFees({ appFees = [] }: Pick<QuoteRequest, "appFees">): readonly AppFeeShare[] {
  const shares = appFees.map(({ fee, recipient }) => ({
    bps: BigInt(fee),
    recipient: readFeeRecipient(recipient),
  }));
  const sum = shares.reduce((total, { bps }) => total + bps, 0n);
  if (sum > basisPoints) {
    throw new QuoteError("AMOUNT_TOO_LOW", `App fees take ${sum} basis points, more than all of the input`);
  }
  return shares;
}

function readFeeRecipient(value: string): Address {
  const recipient = parseAddress(value, "INVALID_ADDRESS", "appFees.recipient");
  if (recipient === zeroAddress) {
    throw new QuoteError("INVALID_ADDRESS", "`appFees.recipient` is the zero address");
  }
  return recipient;
}

/** Terms of a deposit address before it is derived. */
export type DepositAddressOptions = Pick<DepositAddressTerms, "type" | "refundsSender"> & {
  readonly recoveryAddress: Address | undefined;
};

/** Reads the terms of a deposit address; `undefined` if the request has none. */
export function readDepositAddress(
  request: QuoteRequest,
  origin: Place,
  isLenient: boolean,
): DepositAddressOptions | undefined {
  const { recoveryAddress, refundTo, strict, tradeType, useDepositAddress, usePermit } = request;
  if (useDepositAddress !== true) return undefined;
  if (usePermit === true) {
    throw refused("`usePermit` is not supported with `useDepositAddress`");
  }
  if (strict !== true && tradeType !== "EXACT_INPUT") {
    throw refused(`\`tradeType\` ${tradeType} is supported with a strict deposit address only`);
  }
  if (strict === true && refundTo === undefined) {
    throw new QuoteError("INVALID_ADDRESS", "A strict deposit address requires `refundTo`");
  }
  if ((request.sponsoredFeeComponents ?? []).length > 0 && !isLenient) {
    throw new QuoteError(
      "UNSUPPORTED_EXECUTION_TYPE",
      "`sponsoredFeeComponents` is not supported with `useDepositAddress`",
    );
  }
  const recovery =
    recoveryAddress === undefined
      ? undefined
      : parseAccount(origin, recoveryAddress, "INVALID_ADDRESS", "recoveryAddress");
  if (recovery !== undefined && isZeroAccount(recovery)) {
    throw new QuoteError("INVALID_ADDRESS", "`recoveryAddress` is the zero address");
  }
  return {
    recoveryAddress: recovery,
    refundsSender: refundTo === undefined ? isLenient : isZeroAccount(storedAccount(refundTo)),
    type: strict === true ? "strict" : "open",
  };
}

/** Longest time for the fill of a fixed rate in seconds, because the solver bears the market's moves. */
export const fixedRateSeconds = 300;

/** A fixed rate, in place of the pools' prices. */
export type FixedRate =
  /** Basis points below the oracle's price: the user pays them, and the service bears the pools. */
  | { readonly spread: bigint }
  /** The output is the input times `out` by `in`; the sponsor pays what that costs more than the input. */
  | { readonly ratio: { readonly in: bigint; readonly out: bigint } };

type Asked = Pick<
  QuoteRequest,
  "fixedRate" | "sponsoredFeeComponents" | "subsidizeFees" | "topupGas" | "useDepositAddress"
>;

/** Reads a fixed rate: a spread such as `30`, or a rate such as `1:1` with a sponsor; `undefined` without one. */
export function readFixedRate(request: Asked): FixedRate | undefined {
  const { fixedRate, subsidizeFees, topupGas, useDepositAddress } = request;
  if (fixedRate === undefined) return undefined;
  if (topupGas === true) throw refused("`fixedRate` delivers no gas top-up");
  if (useDepositAddress === true) throw refused("`fixedRate` has no deposit address");
  const [, first, second] = /^([^:]*):([^:]*)$/.exec(fixedRate) ?? [];
  if (first === undefined || second === undefined) {
    if (!/^\d{1,4}$/.test(fixedRate)) {
      throw refused("`fixedRate` must be a rate such as 1:1, or basis points from 0 to 9999");
    }
    if (subsidizeFees === true) throw refused("`fixedRate` in basis points has no fees to sponsor");
    return { spread: BigInt(fixedRate) };
  }
  if (subsidizeFees !== true) throw refused("`fixedRate` of input to output needs `subsidizeFees`");
  if ((request.sponsoredFeeComponents ?? []).length > 0) {
    throw refused("`fixedRate` is sponsored whole: it takes no `sponsoredFeeComponents`");
  }
  // The page calls it "input:output", and its samples give 99.95 of the output for 100 at 1:1.0005.
  return { ratio: { in: rateTerm(second), out: rateTerm(first) } };
}

function rateTerm(text: string): bigint {
  const term = /^\d{1,9}(?:\.\d{1,18})?$/.test(text) ? parseUnits(text, 18) : 0n;
  if (term === 0n) throw refused("`fixedRate` must be a rate such as 1:1: two decimal numbers above zero");
  return term;
}

/** Fixed rates are for integrators (specification, "Request record, version 3"). @throws QuoteError `UNAUTHORIZED` */
export function assertIntegrator(
  { fixedRate }: Pick<Asked, "fixedRate">,
  apiKey: Pick<ApiKey, "id"> | undefined,
): void {
  if (fixedRate === undefined || apiKey !== undefined) return;
  throw new QuoteError("UNAUTHORIZED", "`fixedRate` needs an API key");
}

function refused(message: string): QuoteError {
  return new QuoteError("UNSUPPORTED_EXECUTION_TYPE", message);
}

/** Versions of the protocol: `v1` pays the solver under the requestId, `v2` the depository under the orderId. */
export type ProtocolVersion = "v1" | "v2";

/** Reads the version of the protocol. */
export function readProtocolVersion(request: QuoteRequest, origin: Place): ProtocolVersion {
  const { originGasOverhead = 0, protocolVersion = "v2", useDepositAddress, usePermit } = request;
  if (protocolVersion === "v2") return "v2";
  if (protocolVersion !== "v1") throw refused(`there is no \`protocolVersion\` ${protocolVersion}`);
  if (!isEvmChain(origin)) throw refused("`protocolVersion` v1 is for EVM chains only");
  if (usePermit === true || useDepositAddress === true || Number(originGasOverhead) > 0) {
    throw refused("`protocolVersion` v1 takes the user's own transfer only");
  }
  return "v1";
}

/** Two dollars, as the official client's types document. In millionths of a dollar. */
const defaultTopup = "2000000";
const mostTopup: Usd = 20n * oneUsd;

/** Reads the gas top-up of a quote request; zero for none. */
export function readTopup(
  { topupGas, topupGasAmount }: Pick<QuoteRequest, "topupGas" | "topupGasAmount">,
  { currencyOut, isSameChain }: { readonly currencyOut: LocalCurrency; readonly isSameChain: boolean },
): Usd {
  if (topupGas !== true) {
    if (BigInt(topupGasAmount ?? 0) > 0n) throw refused("`topupGasAmount` needs `topupGas`");
    return 0n;
  }
  if (isSameChain) throw refused("`topupGas` needs another destination chain");
  if (currencyOut.address === zeroAddress)
    throw refused("`topupGas` needs an output other than native currency");
  const topup = usdOfMicros(BigInt(topupGasAmount ?? defaultTopup));
  if (topup > mostTopup) throw refused("`topupGasAmount` is more than 20 dollars");
  return topup;
}

/** Refuses parameters that contradict each other, instead of ignoring one of them. */
export function refuseUnsupported({
  depositFeePayer,
  gasLimitForDepositSpecifiedTxs,
  recoveryAddress,
  txs = [],
  useDepositAddress,
  user,
}: QuoteRequest): void {
  if (depositFeePayer !== undefined && depositFeePayer === user) {
    throw new QuoteError("INVALID_ADDRESS", "`depositFeePayer` is `user`: it must be another account");
  }
  if (useDepositAddress === true && txs.length > 0) {
    throw new QuoteError("EXTRA_TXS_NOT_SUPPORTED", "Payments to a deposit address make no calls");
  }
  if (gasLimitForDepositSpecifiedTxs === 0) {
    throw new QuoteError(
      "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS",
      "`gasLimitForDepositSpecifiedTxs` is zero, and no call takes that little",
    );
  }
  if (recoveryAddress !== undefined && useDepositAddress !== true) {
    throw refused("`recoveryAddress` needs `useDepositAddress`");
  }
}

/** Refuses what the perps exchange and the SVM chain cannot do: calls, permits, and requests that never leave them. */
export function refuseOutsideEvm(request: QuoteRequest, origin: Place, destination: Place): void {
  if (isEvmChain(origin) && isEvmChain(destination)) return;
  if (origin === destination && !isSvmChain(origin)) {
    throw new QuoteError("UNSUPPORTED_ROUTE", "A request cannot stay on the perps exchange");
  }
  if (!isEvmChain(destination) && (request.txs ?? []).length > 0) {
    throw new QuoteError("EXTRA_TXS_NOT_SUPPORTED", "Calls are made on EVM chains only");
  }
  const parameter = unusableOn(request, origin, destination);
  if (parameter !== undefined) {
    throw refused(`\`${parameter}\` is for EVM chains only`);
  }
  if (isEvmChain(origin)) return;
  if (!isSvmChain(origin) && request.protocolVersion !== "v2") {
    const message = "A withdrawal from the exchange must send `protocolVersion` `v2`";
    throw refused(message);
  }
}

/** A parameter about transactions that a chain without transactions cannot use. */
function unusableOn(request: QuoteRequest, origin: Place, destination: Place): string | undefined {
  const { authorizationList = [], originGasOverhead = 0, topupGas, useDepositAddress, usePermit } = request;
  if (!isEvmChain(destination)) {
    if (topupGas === true) return "topupGas";
    if (authorizationList.length > 0) return "authorizationList";
  }
  if (isEvmChain(origin)) return undefined;
  if (Number(originGasOverhead) > 0) return "originGasOverhead";
  if (useDepositAddress === true && !isSvmChain(origin)) return "useDepositAddress";
  return usePermit === true ? "usePermit" : undefined;
}

export const uniswapV2Source = "uniswap-v2";

/** The swap source of the SVM chain: pools that stand for those of its aggregator. */
export const svmSwapSource = "jupiter";

const knownSources: readonly string[] = [uniswapV2Source, svmSwapSource];

/** The swap source of a ledger, on those with pools. */
export function swapSourceOf(place: Place): string {
  return isSvmChain(place) ? svmSwapSource : uniswapV2Source;
}

/** Swap sources that a request allows. */
export type SwapSources = {
  /** For the user's transaction on the origin chain. */
  readonly origin: readonly string[];
  /** For the solver on the destination chain. */
  readonly destination: readonly string[];
};

type SourceRequest = Pick<
  QuoteRequest,
  | "includedSwapSources"
  | "excludedSwapSources"
  | "includedOriginSwapSources"
  | "includedDestinationSwapSources"
  | "disableOriginSwaps"
>;

/**
 * The allowed sources of each side: a side's own list, else the common one, minus the excluded sources. An empty list allows
 * none.
 */
export function readSwapSources(request: SourceRequest): SwapSources {
  const { excludedSwapSources = [], includedSwapSources = knownSources } = request;
  const left = (included: readonly string[]) =>
    included.filter((source) => knownSources.includes(source) && !excludedSwapSources.includes(source));
  return {
    destination: left(request.includedDestinationSwapSources ?? includedSwapSources),
    origin:
      request.disableOriginSwaps === true
        ? []
        : left(request.includedOriginSwapSources ?? includedSwapSources),
  };
}

/** Reads the authorizations of the calls. The fill carries them: without one, the user sends the calls. */
export function readAuthorizationList(
  { authorizationList = [], originChainId, txs = [] }: QuoteRequest,
  { definition }: Place,
  isForced: boolean,
): Authorizations {
  if (authorizationList.length === 0) return [];
  if (originChainId === definition.id && !isForced) {
    throw refused(
      "`authorizationList` on one chain needs `forceSolverExecution`: else the user sends the calls",
    );
  }
  const read = readAuthorizations(authorizationList);
  if (read === undefined || txs.length === 0) {
    throw new QuoteError("INVALID_EXTRA_TXS", "`authorizationList` is malformed, or has no `txs`");
  }
  const foreign = read.find(({ chainId }) => chainId !== 0 && chainId !== definition.id);
  if (foreign === undefined) return read;
  throw new QuoteError(
    "INVALID_EXTRA_TXS",
    `An authorization is for chain ${foreign.chainId}, and the calls are on chain ${definition.id}`,
  );
}

/** Reads the gas limit of calls that the user's own transaction makes. The solver makes those of any other request. */
export function readDepositGasLimit(
  { destinationChainId, gasLimitForDepositSpecifiedTxs: limit, originChainId, txs = [] }: QuoteRequest,
  isForced: boolean,
): number | undefined {
  if (limit === undefined) return undefined;
  if (txs.length > 0 && originChainId === destinationChainId && !isForced) return limit;
  throw new QuoteError(
    "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS",
    "`gasLimitForDepositSpecifiedTxs` needs `txs` that the user's own transaction makes on one chain",
  );
}
