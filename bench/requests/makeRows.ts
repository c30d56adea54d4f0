import { bitsOf, routeOf } from "../../emulator/requests/search/searchFacts.ts";
import { failReasons } from "../../src/schema/request/failReason.ts";
import { requestFeatures } from "../../src/schema/request/requestFeature.ts";
import { type Random, randomNumbers } from "./random.ts";

/** Rows by table. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Values to search for. */
export type Known = {
  readonly apiKeys: readonly { readonly id: string; readonly key: string }[];
  readonly ids: readonly string[];
  readonly orderIds: readonly string[];
  readonly users: readonly string[];
  readonly hashes: readonly string[];
  readonly depositAddresses: readonly string[];
  readonly firstAt: number;
  readonly lastAt: number;
};

export const chainIds = [31337, 31338, 1, 10, 8453, 42161];
export const currencies = [
  ["0x0000000000000000000000000000000000000000", "ETH"],
  ["0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "USDC"],
  ["0xdac17f958d2ee523a2206206994597c13d831ec7", "USDT"],
  ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "WETH"],
  ["0x6b175474e89094c44da98b954eedeac495271d0f", "DAI"],
] as const;
const usualReasons = failReasons.filter((reason) => reason !== "N/A").slice(0, 10);
const referrers = ["app-one", "app-two", "app-three", "app-four"];
const firstAt = Date.UTC(2026, 0, 1);
const lastAt = Date.UTC(2026, 9, 1);
const usersPerRequest = 0.1;

/** Generates nine months of requests with realistic skew: a few users, chains and currencies make most of them. */
export function makeRows(count: number): { known: Known; next(size: number): Rows | undefined } {
  const random = randomNumbers(count);
  const users = Array.from({ length: Math.ceil(count * usersPerRequest) }, () => random.hex(20));
  const known: Known = {
    apiKeys: Array.from({ length: 5 }, (_, index) => ({ id: `key-${index}`, key: random.hex(32).slice(2) })),
    depositAddresses: [],
    firstAt,
    hashes: [],
    ids: [],
    lastAt,
    orderIds: [],
    users,
  };
  const routes = new Map<string, number>();
  let made = 0;
  return {
    known,
    next: (size) => {
      const length = Math.min(size, count - made);
      if (length === 0) return undefined;
      const rows = Array.from({ length }, () => makeOne(made++ / count, known, random));
      const knownRoutes = routes.size;
      const placed = rows.map(({ features, request }) => ({
        ...request,
        features: bitsOf(features.map(({ feature }) => feature)),
        route_id: routeIdOf(routeOf(request), routes),
      }));
      return {
        request_routes: [...routes].slice(knownRoutes).map(([route, id]) => ({ ...JSON.parse(route), id })),
        requests: placed,
        request_features: rows.flatMap(({ features }) => features),
        request_hashes: rows.flatMap(({ hashes }) => hashes),
      };
    },
  };
}

function routeIdOf(route: unknown, routes: Map<string, number>): number {
  const key = JSON.stringify(route);
  const id = routes.get(key) ?? routes.size + 1;
  routes.set(key, id);
  return id;
}

function makeOne(age: number, known: Known, random: Random) {
  const id = random.hex(32);
  const created = Math.floor(firstAt + age * (lastAt - firstAt) + random.below(60_000));
  const [currencyIn, symbolIn] = random.skewed(currencies);
  const [currencyOut, symbolOut] =
    random.next() < 0.6 ? ([currencyIn, symbolIn] as const) : random.skewed(currencies);
  const origin = random.skewed(chainIds);
  const destination = random.skewed(chainIds);
  const status = statusOf(random.next());
  const failed = status === "failure" || status === "refund";
  const user = random.skewed(known.users);
  const orderId = random.hex(32);
  const micros = Math.floor(10 ** (4 + 7 * random.next()));
  const hasFees = random.next() < 0.15;
  const depositAddress = random.next() < 0.05 ? random.hex(20) : null;
  const request = {
    amount_usd: micros,
    api_key_id: random.next() < 0.8 ? random.skewed(known.apiKeys).id : null,
    app_fees_usd: hasFees ? Math.floor(micros * random.next() * 0.01) : 0,
    created_at: created,
    currency_in: currencyIn,
    currency_in_symbol: symbolIn,
    currency_out: currencyOut,
    currency_out_symbol: symbolOut,
    deposit_address: depositAddress,
    destination_chain_id: destination,
    details: null,
    expires_at: null,
    fail_reason: failed ? random.skewed(usualReasons) : null,
    failed_call: null,
    failed_tx_block: null,
    failed_tx_hash: null,
    fill_time_ms: status === "success" ? Math.floor(500 + 60_000 * random.next() ** 6) : null,
    id,
    intent: JSON.stringify({ tradeType: "EXACT_INPUT", useExternalLiquidity: false }),
    order_id: orderId,
    origin_block: status === "waiting" ? null : Math.floor(age * 10_000_000),
    origin_chain_id: origin,
    parent_id: known.ids.length > 0 && random.next() < 0.01 ? random.pick(known.ids) : null,
    quote: storedQuote(origin, destination, currencyIn, currencyOut, micros, id),
    recipient: random.next() < 0.8 ? user : random.skewed(known.users),
    referrer: random.next() < 0.5 ? random.skewed(referrers) : null,
    refund_fail_reason: status === "failure" ? "AMOUNT_TOO_LOW_TO_REFUND" : null,
    refund_to: user,
    request_type: typeOf(origin === destination, currencyIn === currencyOut, random),
    sender: user,
    status,
    updated_at: created + Math.floor(60_000 * random.next() ** 4),
    user,
  };
  const kinds =
    status === "success"
      ? (["deposit", "fill"] as const)
      : status === "refund"
        ? (["deposit", "refund"] as const)
        : [];
  const hashes = kinds.map((kind) => ({ hash: random.hex(32), kind, request_id: id }));
  remember(known, random, { depositAddress, hash: hashes[0]?.hash, id, orderId });
  return { features: featuresOf(id, hasFees, depositAddress !== null, random), hashes, request };
}

/** A sample of values to search for. */
function remember(
  known: Known,
  random: Random,
  one: { id: string; orderId: string; hash: string | undefined; depositAddress: string | null },
): void {
  if (random.next() > 0.01) return;
  (known.ids as string[]).push(one.id);
  (known.orderIds as string[]).push(one.orderId);
  if (one.hash !== undefined) (known.hashes as string[]).push(one.hash);
  if (one.depositAddress !== null) (known.depositAddresses as string[]).push(one.depositAddress);
}

function statusOf(share: number): string {
  if (share < 0.55) return "success";
  if (share < 0.95) return "waiting";
  if (share < 0.97) return "refund";
  if (share < 0.98) return "failure";
  return share < 0.99 ? "pending" : share < 0.995 ? "submitted" : "depositing";
}

function typeOf(isSameChain: boolean, isSameCurrency: boolean, random: Random): string {
  if (random.next() < 0.1) return "Call";
  if (!isSameChain) return isSameCurrency ? "Bridge" : "Crosschain Swap";
  return isSameCurrency ? "Send" : "Same-chain Swap";
}

function featuresOf(id: string, hasFees: boolean, hasAddress: boolean, random: Random) {
  const rare = requestFeatures.filter((feature) => feature !== "app_fees" && feature !== "deposit_address");
  const features = [
    ...(hasFees ? ["app_fees"] : []),
    ...(hasAddress ? ["deposit_address"] : []),
    ...(random.next() < 0.03 ? [random.skewed(rare)] : []),
  ];
  return features.map((feature) => ({ feature, request_id: id }));
}

/** The stored quote of a request, with all fields that records show. */
function storedQuote(
  origin: number,
  destination: number,
  currencyIn: string,
  currencyOut: string,
  micros: number,
  id: string,
) {
  const usd = (micros / 1_000_000).toFixed(6);
  const amount = (chainId: number, address: string) => ({
    amount: String(micros),
    amountFormatted: usd,
    amountUsd: usd,
    currency: {
      address,
      chainId,
      decimals: 6,
      metadata: { isNative: false, logoURI: "", verified: true },
      name: "Token",
      symbol: "TKN",
    },
    minimumAmount: String(micros),
  });
  const paid = amount(origin, currencyIn);
  const output = amount(destination, currencyOut);
  const none = { usd: "0.000000" };
  return JSON.stringify({
    appFees: [],
    details: {
      currencyIn: paid,
      currencyOut: output,
      expandedPriceImpact: { app: none, execution: none, relay: none, sponsored: none, swap: none },
      rate: "1",
      route: {
        destination: { inputCurrency: output, outputCurrency: output, router: "relay" },
        origin: { inputCurrency: paid, outputCurrency: paid, router: "relay" },
      },
      slippageTolerance: { destination: { percent: "2.00", usd: "0", value: "0" } },
      timeEstimate: 1,
    },
    fees: { relayer: paid, relayerGas: paid, relayerService: paid },
    protocol: { v2: { orderId: id } },
  });
}
