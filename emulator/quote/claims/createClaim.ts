import { type Address, type Hex, hashTypedData, zeroAddress } from "viem";
import { typeMembers } from "../../../src/internal/typeMembers.ts";
import type { ClaimRequest, ClaimResponse } from "../../../src/schema/quote/appFees.ts";
import type { SignatureStep } from "../../../src/schema/quote/step.ts";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import { balanceOf } from "../../chains/rpc.ts";
import type { Context } from "../../context/Context.ts";
import { amountObject, findCurrency } from "../../currencies/currencyId.ts";
import { insufficientLiquidity, QuoteError } from "../../errors/refusals.ts";
import { amountWorth, exchangeRate, microDollars, usdOf } from "../../money/prices.ts";
import { type Intent, serializeIntent } from "../../requests/Intent.ts";
import { insertRequest } from "../../requests/insertRequest.ts";
import { serializeStoredQuote } from "../../requests/StoredQuote.ts";
import { transferCall } from "../../router/fillCall.ts";
import { prepareCall } from "../../router/prepareFill.ts";
import { readGasPrice } from "../price/fillCost.ts";
import { parseAddress } from "../request/parseAccount.ts";
import { requireChain } from "../request/readIntent.ts";
import { statusCheck } from "../steps/buildSteps.ts";
import { claimableBalances, planDebits } from "./planDebits.ts";

/** Validity of a claim until its signature, and then until its payout, in seconds. */
const lifetimeSeconds = 600;

/** A claim of app fees, read and found on its chain. */
type ReadClaim = {
  readonly wallet: Address;
  readonly recipient: Address;
  readonly chain: Chain;
  readonly currency: LocalCurrency;
  /** Smallest units; the whole balance when left out. */
  readonly asked: bigint | undefined;
};

/**
 * Prices a claim of app fees, stores it as a request that waits for the wallet's signature, and answers with the step
 * to sign. Nothing is debited yet.
 */
export async function createClaim(
  wallet: string,
  request: ClaimRequest,
  context: Context,
): Promise<ClaimResponse> {
  const read = readClaim(wallet, request, context);
  const { chain, currency } = read;
  const balances = await claimableBalances(read.wallet, context.store, context);
  const { amount, debits } = planDebits(balances, read, read.asked);
  const requestId = context.random32();
  const payout = await payoutOf({ ...read, amount, requestId }, context);
  const at = context.now();
  const deadline = Math.floor(at / 1_000) + lifetimeSeconds;
  const claim: SignedClaim = {
    amount,
    chainId: chain.definition.id,
    currency: currency.address,
    deadline,
    payout,
    recipient: read.recipient,
    requestId,
    wallet: read.wallet,
  };
  const terms = { deadline, debits, digest: claimDigest(claim) };
  await store(read, { at, intent: intentOf(claim, terms, context.random32()) }, context);
  return { steps: [claimStep(claim, currency.symbol)] };
}

function readClaim(wallet: string, request: ClaimRequest, { chains }: Pick<Context, "chains">): ReadClaim {
  const owner = parseAddress(wallet, "INVALID_ADDRESS", "wallet");
  const chain = requireChain(chains, request.chainId);
  const recipient = parseAddress(request.recipient, "INVALID_RECIPIENT", "recipient");
  if (recipient === zeroAddress || findCurrency(chain, recipient) !== undefined) {
    throw new QuoteError("INVALID_RECIPIENT", "The recipient is the zero address or a currency");
  }
  const currency = findCurrency(chain, request.currency);
  if (currency === undefined) {
    throw new QuoteError("UNSUPPORTED_CURRENCY", `Chain ${request.chainId} has no ${request.currency}`);
  }
  const asked = request.amount === undefined ? undefined : BigInt(request.amount);
  return { asked, chain, currency, recipient, wallet: owner };
}

/** The amount less the gas of its payout, which is simulated. */
async function payoutOf(
  {
    amount,
    chain,
    currency,
    recipient,
    requestId,
  }: ReadClaim & { readonly amount: bigint; readonly requestId: Hex },
  { accounts, quoting }: Pick<Context, "accounts" | "quoting">,
): Promise<bigint> {
  if (usdOf(amount, currency) > quoting.capacityPerRequest) {
    throw insufficientLiquidity("the solver does not pay that much for one request");
  }
  const solver = accounts.solver.account.address;
  if ((await balanceOf(chain, currency.address, solver)) < amount) {
    throw insufficientLiquidity("the solver does not hold the claimed amount");
  }
  const call = transferCall({ amount, currency: currency.address, recipient, tag: requestId });
  const prepared = await prepareCall(call, chain, solver);
  if (!("call" in prepared)) {
    throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", {
      errorData: prepared.details,
    });
  }
  const [native] = chain.currencies;
  const payout = amount - amountWorth(usdOf(prepared.gas * readGasPrice(chain), native), currency, "up");
  if (payout <= 0n) throw new QuoteError("AMOUNT_TOO_LOW", "The claim does not cover the gas of its payout");
  return payout;
}

/** The terms of the payout: a plain transfer of the solver, with nothing to deposit. */
function intentOf(claim: SignedClaim, terms: NonNullable<Intent["claim"]>, orderId: Hex): Intent {
  const { amount, chainId, currency, deadline, payout, recipient, requestId, wallet } = claim;
  const paid = { amount: payout, currency };
  return {
    appFees: [],
    claim: terms,
    deposit: { ...paid, minimumAmount: payout, via: "self" },
    destination: { ...paid, chainId, minimumAmount: payout },
    // A signature of the last second still leaves the solver time to pay.
    expiresAt: (deadline + lifetimeSeconds) * 1_000,
    fill: { ...paid, maximumAmount: payout, path: [] },
    kind: "Send",
    orderId,
    origin: { amount, chainId, currency },
    own: null,
    recipient,
    refundTo: wallet,
    requestId,
    routerVersion: "v3",
    slippageBps: 0,
    tradeType: "EXACT_INPUT",
    txs: [],
    txsGasLimit: null,
    useExternalLiquidity: false,
    user: wallet,
  };
}

async function store(
  { chain, currency }: ReadClaim,
  { at, intent }: { readonly at: number; readonly intent: Intent },
  context: Context,
): Promise<void> {
  const { destination, orderId, origin, recipient, refundTo, requestId, user } = intent;
  const [currencyIn, currencyOut, gas] = [
    origin.amount,
    destination.amount,
    origin.amount - destination.amount,
  ].map((amount) => amountObject(chain, currency, amount)) as [
    ReturnType<typeof amountObject>,
    ReturnType<typeof amountObject>,
    ReturnType<typeof amountObject>,
  ];
  const address = currency.address.toLowerCase();
  const quote = serializeStoredQuote({
    appFees: [],
    details: {
      currencyIn,
      currencyOut,
      operation: "send",
      rate: exchangeRate(currencyOut, currencyIn),
      recipient,
      refundCurrency: currencyIn,
      sender: user,
    },
    fees: { relayer: gas, relayerGas: gas },
  });
  await insertRequest(context.store, {
    amount_usd: microDollars(usdOf(origin.amount, currency)),
    api_key_id: null,
    app_fees_usd: 0,
    created_at: at,
    currency_in: address,
    currency_in_symbol: currency.symbol,
    currency_out: address,
    currency_out_symbol: currency.symbol,
    destination_chain_id: destination.chainId,
    expires_at: (intent.claim?.deadline ?? 0) * 1_000,
    id: requestId,
    intent: serializeIntent(intent),
    order_id: orderId,
    origin_chain_id: origin.chainId,
    partner_id: null,
    quote,
    recipient,
    referrer: null,
    refund_to: refundTo,
    request_type: intent.kind,
    sender: user,
    status: "waiting",
    updated_at: at,
    user,
  });
}

type SignedClaim = {
  readonly wallet: Address;
  readonly chainId: number;
  readonly currency: Address;
  /** Taken from the balance, in smallest units of the currency. */
  readonly amount: bigint;
  /** Paid to the recipient: the amount less gas. */
  readonly payout: bigint;
  readonly recipient: Address;
  readonly requestId: Hex;
  /** Last second of validity; Unix time of the service. */
  readonly deadline: number;
};

const primaryType = "Claim";
const members = typeMembers(
  "address wallet,uint256 chainId,address currency,uint256 amount,uint256 payout,address recipient,bytes32 requestId,uint256 deadline",
);
const types = { [primaryType]: [...members] };

function domainOf({ chainId }: SignedClaim) {
  return { chainId, name: "RelayAppFees", verifyingContract: zeroAddress, version: "1" };
}

/** Hash that the wallet signs. */
function claimDigest(claim: SignedClaim): Hex {
  const { amount, chainId, deadline, payout, ...rest } = claim;
  return hashTypedData({
    domain: domainOf(claim),
    message: { ...rest, amount, chainId: BigInt(chainId), deadline: BigInt(deadline), payout },
    primaryType,
    types,
  });
}

/** The step whose signature claims the fees. */
function claimStep(claim: SignedClaim, symbol: string): SignatureStep {
  const { amount, payout, requestId } = claim;
  return {
    action: "Sign the claim in your wallet",
    depositAddress: "",
    description: `Claim app fees in ${symbol}`,
    id: "authorize",
    items: [
      {
        check: statusCheck(requestId),
        data: {
          post: { body: { kind: "claim", requestId }, endpoint: "/execute/permits", method: "POST" },
          sign: {
            domain: domainOf(claim),
            primaryType,
            signatureKind: "eip712",
            types,
            value: { ...claim, amount: amount.toString(), payout: payout.toString() },
          },
        },
        status: "incomplete",
      },
    ],
    kind: "signature",
    requestId,
  };
}
