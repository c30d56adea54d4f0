import type { Address, Hex } from "viem";
import { Coded, choose, isSame, pick, Unmet } from "../calls/verify/compareWhole.ts";
import { productionTrust } from "../calls/verify/productionTrust.ts";
import { compareQuote } from "../calls/verify/proveQuote.ts";
import { readBounds } from "../calls/verify/readBounds.ts";
import { readQuote } from "../calls/verify/readQuote.ts";
import { readTerms, type Terms } from "../calls/verify/Terms.ts";
import type { TrustedChain } from "../calls/verify/TrustRoots.ts";
import {
  type QuoteBounds,
  type QuoteIntent,
  type QuotePolicy,
  readVerifyParameters,
} from "../calls/verify/VerifyQuoteParameters.ts";
import { type QuoteMismatch, throwMismatches } from "../errors/QuoteMismatchError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { assertFunction, assertValid, readList } from "../internal/readParts.ts";
import type { Quote } from "../schema/quote/quote.ts";
import { exchangeChainId } from "./constants.ts";
import { readSentAsset, type SentAsset } from "./currency.ts";
import { exchangeName } from "./nonceMapping.ts";
import { readWithdrawal } from "./readWithdrawal.ts";
import { markProven, type UnprovenWithdrawal, type Withdrawal } from "./Withdrawal.ts";
import { WithdrawalInvalidError } from "./WithdrawalInvalidError.ts";

/** Parts of a policy that a withdrawal has. It reads no chain, and costs no gas. */
type WithdrawalPolicy = Pick<QuotePolicy, "maximumFillSeconds" | "maximumSlippage" | "now" | "trust">;

/** A fixed input needs a minimum output, a fixed output a maximum input. */
export type VerifyWithdrawalParameters = QuoteBounds &
  WithdrawalPolicy & {
    /** The wallet's active chain, for the domains of both signatures. Default: 1. */
    readonly chainId?: number | undefined;
    /** Decimals of the withdrawn token in quotes. Default: 8 for USDC; required for other tokens. */
    readonly decimals?: number | undefined;
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
  };

export type VerifyWithdrawalReturnType = Promise<Withdrawal>;

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
const authorizePath = "0.items.0.data";
const depositPath = "1.items.0.data.action.parameters";

/**
 * Proves before signing that a withdrawal from the exchange does exactly what was requested, within the caller's bounds.
 *
 * The order signed by a trusted solver proves recipient, currency, minimum output, calls, deadline and refunds. The first
 * signature may only assign the transfer to that order. The second may only send the order's input, from the requested
 * account and currency, to the trusted
 * account, with the nonce of the first. `docs/reference/perps.md` lists each property.
 *
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
  return proveWithdrawal(parameters, async () => []);
}

/** `verifyWithdrawal` with reads of the destination's chain, which bundles of the exchange alone leave out. */
export async function proveWithdrawal(
  parameters: VerifyWithdrawalParameters,
  read: (terms: Terms) => Promise<readonly QuoteMismatch[]>,
): VerifyWithdrawalReturnType {
  const { chainId, now = Date.now(), signedNonce } = parameters;
  if (signedNonce !== undefined) assertFunction("signedNonce", signedNonce);
  const { policy, request } = readVerifyParameters(parameters);
  const asset = readAsset(request, parameters.decimals);
  const { solverAccounts: given } = parameters;
  const solverAccounts = given === undefined ? undefined : readList(given, "solverAccounts", readAddress);
  const bounds = await readBounds(policy, request);
  const quote = readQuote(parameters.quote);
  const withdrawal = readWithdrawal({ chainId, decimals: asset.decimals, now, quote });
  const terms = readWithdrawalTerms({ policy, request, solverAccounts }, { bounds, now, quote });
  const found = await compare(terms, { asset, solverAccounts, withdrawal });
  throwMismatches(found.length > 0 ? found : await read(terms));
  expectUnpaid(withdrawal, await signedNonce?.(withdrawal.orderId));
  return markProven(withdrawal);
}

/** Proves the withdrawal as the payment of an order, with the parts that are its own. */
async function compare(terms: Terms, given: Given): Promise<readonly QuoteMismatch[]> {
  const { paymentDetails } = terms.quote.protocol?.v2 ?? {};
  const requestId = String(terms.requestId);
  const isBytes32 = /^0x[0-9a-fA-F]{64}$/.test(requestId);
  const { authorize, deposit } = stepsOf(terms, given);
  const depository = payeeOf(terms, given, paymentDetails?.depository);
  const steps = {
    actual: { [authorizePath]: authorize.actual, [depositPath]: deposit.actual },
    expected: { [authorizePath]: authorize.expected, [depositPath]: deposit.expected },
    unmet: [],
  };
  return compareQuote(terms, steps, { kind: "order" }, (expected) => {
    const { v2: order } = expected.protocol as { readonly v2: { readonly paymentDetails?: object } };
    const shown = order.paymentDetails && { ...order.paymentDetails, depository };
    return {
      ...expected,
      details: detailsWith(expected.details, given.asset),
      protocol: { v2: { ...order, paymentDetails: shown } },
      requestIds: terms.quote.steps.map(() => choose(requestId, isBytes32, "32 bytes in hexadecimal")),
    };
  });
}

type Given = {
  readonly asset: SentAsset;
  readonly solverAccounts: readonly string[] | undefined;
  readonly withdrawal: UnprovenWithdrawal;
};

/** The caller's own decimals: the transfer's amount was compared with the quote's in them. */
function detailsWith(details: object, { decimals }: SentAsset): object {
  const { currencyIn } = details as { readonly currencyIn: { readonly currency: object } };
  return { ...details, currencyIn: { ...currencyIn, currency: { ...currencyIn.currency, decimals } } };
}

/** The signed members that the parser leaves open, as they must be and as they are. */
function stepsOf(terms: Terms, given: Given) {
  const { asset, withdrawal } = given;
  const { authorize, deposit, orderId, wallet } = withdrawal;
  const { parameters } = deposit;
  const { user } = terms.request;
  const [name, tokenId, ...others] = parameters.token.split(":");
  const isNamed = name !== undefined && name !== "" && others.length === 0;
  const dex = new Coded(asset.dex, "QUOTE_CURRENCY");
  return {
    authorize: {
      actual: {
        post: { endpoint: authorize.endpoint },
        sign: { value: { depositor: authorize.mapping.depositor, id: orderId, wallet } },
      },
      expected: {
        post: { endpoint: "/authorize" },
        sign: {
          value: {
            depositor: user,
            id: terms.orderId,
            wallet: new Coded(user, "QUOTE_SENDER"),
          },
        },
      },
    },
    deposit: {
      actual: {
        destination: parameters.destination,
        destinationDex: parameters.destinationDex,
        fromSubAccount: parameters.fromSubAccount,
        hyperliquidChain: parameters.hyperliquidChain,
        sourceDex: parameters.sourceDex,
        tokenId: isNamed ? tokenId : parameters.token,
        tokenName: name,
      },
      expected: {
        destination: new Coded(payeeOf(terms, given, parameters.destination), "QUOTE_TARGET"),
        destinationDex: dex,
        fromSubAccount: new Coded("", "QUOTE_SENDER"),
        hyperliquidChain: new Coded("Mainnet", "QUOTE_CHAIN"),
        sourceDex: dex,
        tokenId: new Coded(asset.tokenId, "QUOTE_CURRENCY"),
        tokenName: new Coded(asset.name ?? name, "QUOTE_DISPLAY"),
      },
    },
  };
}

/** The account on the exchange that must be paid. */
function payeeOf({ origin, quote, trust }: Terms, { solverAccounts }: Given, actual: unknown) {
  const solver = quote.protocol?.v2?.orderData?.solver;
  const ofService = productionTrust.solvers.some((each) => isSame(each, solver));
  const payee = origin?.depository ?? (ofService ? productionDepository : solver);
  const known = solverAccounts ?? (payee === undefined ? trust.solvers : [payee]);
  return pick(known, actual) ?? new Unmet("a trusted account");
}

/** Only the caller knows this: an order names no nonce, and the exchange's ledger names no order. */
function expectUnpaid({ nonce }: UnprovenWithdrawal, signed: bigint | undefined): void {
  if (signed === undefined || signed === nonce) return;
  assertValid(typeof signed === "bigint", "signedNonce", "it must return a bigint or undefined");
  throw new WithdrawalInvalidError({
    actual: nonce.toString(),
    expected: signed.toString(),
    fault: "order-signed",
    path: "quote.steps[0].items[0].data.sign.value.nonce",
  });
}

function readAsset(request: QuoteIntent, decimals: number | undefined): SentAsset {
  const isExchange = request.originChainId === exchangeChainId;
  assertValid(isExchange, "request.originChainId", "it is not the exchange: use `execute`");
  return readSentAsset(request.originCurrency, decimals);
}

type Intent = { readonly policy: QuotePolicy; readonly request: QuoteIntent } & Pick<Given, "solverAccounts">;

function readWithdrawalTerms(
  { policy, request, solverAccounts }: Intent,
  given: Pick<Terms, "bounds" | "now" | "quote">,
): Terms {
  const { trust = productionTrust } = policy;
  const exchange = trust.chains.find((chain) => chain.chainId === exchangeChainId) ?? bareExchange;
  return {
    // The exchange has no node.
    ...readTerms({ ...given, policy: { ...policy, reader: undefined }, request, trust }),
    // `solverAccounts` replaces the depository.
    origin: solverAccounts === undefined ? exchange : { ...exchange, depository: undefined },
  };
}
