import { type Hex, hashTypedData, parseAbi, type TypedDataDefinition } from "viem";
import type { SignatureStep, Step } from "../../../src/schema/quote/step.ts";
import type { Context } from "../../context/Context.ts";
import { QuoteError } from "../../errors/refusals.ts";
import { isGasless, type PermitTerms, type PermitWay, parseIntent } from "../../requests/Intent.ts";
import type { RouterWork } from "../../router/routerCalls.ts";
import { approvalProxyOf } from "../../router/routerCalls.ts";
import { isLeg } from "../../router/SwapLeg.ts";
import type { Store } from "../../store/tables.ts";
import { chainTime } from "../permits/permitTransaction.ts";
import {
  allowanceTypedData,
  authorizationTypedData,
  buildWitness,
  hashWitness,
  type PermitTypedData,
  permit2TypedData,
  type SignedTerms,
} from "../permits/permitTypedData.ts";
import { tokenDomain } from "../permits/tokenDomain.ts";
import type { PricedIntent } from "../route/planRoute.ts";
import { approveStep, statusCheck } from "./buildSteps.ts";
import { depositWork, sameChainWork, type UserTransactionContext } from "./userTransaction.ts";

/** Default validity of a signature in seconds. */
const defaultExpiry = 600;
const noncesAbi = parseAbi(["function nonces(address owner) view returns (uint256)"]);

/** The terms of the signature, and the steps that request it. */
type PermitOffer = { readonly terms: PermitTerms; readonly steps: readonly Step[] };

/** The context of a quote that is paid by signature. */
export type OfferContext = UserTransactionContext & {
  readonly way: PermitWay;
  /** Deadline of the payment in Unix milliseconds. */
  readonly expiresAt: number;
};

/** Replaces approval and deposit by a signature. Permit2 itself needs one approval per token. */
export async function offerPermit(
  priced: PricedIntent,
  offer: OfferContext,
  { now, random32, store }: Pick<Context, "now" | "random32" | "store">,
): Promise<PermitOffer> {
  const { read, route, routerVersion } = priced;
  const { origin, permitExpiry = defaultExpiry } = read;
  const { requestId, way } = offer;
  assertFunds(priced, way);
  const work = route.via === "depository" ? depositWork(priced, offer) : sameChainWork(priced, offer);
  const at = now();
  const deadline = chainTime(origin, at) + Math.min(permitExpiry, Math.floor((offer.expiresAt - at) / 1_000));
  const signed = {
    deadline,
    nonce: await choosePermitNonce(work, priced, offer, random32),
    proxy: approvalProxyOf(origin, routerVersion),
  };
  const typedData = await buildTypedData(work, signed, priced, offer);
  const terms: PermitTerms = {
    ...signed,
    api: route.via === "self" ? "user-swap" : isLeg(route.origin) ? "swap" : "bridge",
    calls: [...work.calls],
    digest: hashTypedData(typedData as TypedDataDefinition),
    way,
  };
  const approve =
    way === "permit2"
      ? await approveStep(priced, requestId, origin.contracts.permit2, await sumPendingPermits(priced, store))
      : undefined;
  const witness = way === "eip3009" ? buildWitness(work, offer.solver, routerVersion) : undefined;
  const authorize = authorizeStep(terms, typedData, { requestId, symbol: read.currencyIn.symbol, witness });
  return { steps: approve === undefined ? [authorize] : [approve, authorize], terms };
}

/** A gasless deposit needs the funds now. A user who sends the transaction may fund the account later. */
function assertFunds({ amounts, details, read }: PricedIntent, way: PermitWay): void {
  const held = BigInt(details.userBalance ?? 0);
  if (!isGasless(way) || held >= amounts.amountIn) return;
  throw new QuoteError(
    "INSUFFICIENT_FUNDS",
    `The user holds ${held} of the ${amounts.amountIn} ${read.currencyIn.symbol} that a signature would pay`,
  );
}

/** Permit2 allowance that the user's pending signed payments will use, in smallest units. */
async function sumPendingPermits({ read }: PricedIntent, store: Store): Promise<bigint> {
  const { currencyIn, origin, user } = read;
  const pending = await store
    .selectFrom("relayed_deposits")
    .innerJoin("requests", "requests.id", "relayed_deposits.request_id")
    .select("requests.intent")
    .where("relayed_deposits.state", "in", ["due", "signed"])
    .where("relayed_deposits.kind", "=", "permit2")
    .where("relayed_deposits.chain_id", "=", origin.definition.id)
    .where("requests.user", "=", user.toLowerCase())
    .where("requests.currency_in", "=", currencyIn.address.toLowerCase())
    .execute();
  return pending.reduce((sum, { intent }) => sum + parseIntent(intent).origin.amount, 0n);
}

async function choosePermitNonce(
  work: RouterWork,
  { read, routerVersion }: PricedIntent,
  { solver, way }: OfferContext,
  random32: () => Hex,
): Promise<bigint> {
  // Permit2 accepts nonces in any order.
  if (way === "permit2") return BigInt(random32());
  if (way === "eip3009") return BigInt(hashWitness(work, solver, routerVersion));
  return read.origin.client.readContract({
    abi: noncesAbi,
    address: read.currencyIn.address,
    args: [read.user],
    functionName: "nonces",
  });
}

async function buildTypedData(
  work: RouterWork,
  signed: SignedTerms,
  { read, routerVersion }: PricedIntent,
  { solver, way }: OfferContext,
): Promise<PermitTypedData> {
  const { currencyIn, origin, user } = read;
  const parties = { relayer: solver, user };
  if (way === "permit2") return permit2TypedData(work, signed, parties, origin, routerVersion);
  const domain = await tokenDomain(origin, currencyIn.address);
  if (domain === undefined) {
    throw new QuoteError("PERMIT_FAILED", `${currencyIn.symbol} lost its signing domain`);
  }
  return way === "eip3009"
    ? authorizationTypedData(work, signed, parties, domain)
    : allowanceTypedData(work, signed, parties, domain);
}

function authorizeStep(
  { api, way }: PermitTerms,
  { message, ...typedData }: PermitTypedData,
  parameters: {
    readonly requestId: Hex;
    readonly symbol: string;
    /** Preimage of the nonce. */
    readonly witness: Readonly<Record<string, unknown>> | undefined;
  },
): SignatureStep {
  const { requestId, symbol, witness } = parameters;
  return {
    action: "Sign authorization in your wallet",
    depositAddress: "",
    description: `Authorize the transfer of ${symbol}`,
    id: "authorize",
    items: [
      {
        check: statusCheck(requestId),
        data: {
          post: { body: { api, kind: way, requestId }, endpoint: "/execute/permits", method: "POST" },
          sign: {
            domain: { ...typedData.domain },
            primaryType: typedData.primaryType,
            signatureKind: "eip712",
            types: Object.fromEntries(
              Object.entries(typedData.types).map(([name, members]) => [
                name,
                members.map((member) => ({ ...member })),
              ]),
            ),
            value: { ...message },
          },
          ...(witness !== undefined && { witness: { ...witness } }),
        },
        status: "incomplete",
      },
    ],
    kind: "signature",
    requestId,
  };
}
