import type { RequestRow } from "../../../../../emulator/store/tables.ts";
import { requestStatuses } from "../../../../../src/schema/request/requestStatus.ts";
import { requestRow } from "../../support/requests.ts";

/** Pseudo-random numbers from 0 to 1 that follow from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Picks one of some values, as a random number says. */
export function picker(random: () => number): <Value>(values: readonly Value[]) => Value {
  return <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
}

/** A row with the features and hashes by which it is found. */
export type Sample = {
  readonly row: RequestRow;
  readonly features: readonly string[];
  readonly hashes: readonly { readonly hash: string; readonly kind: "deposit" | "fill" | "refund" }[];
};

const chains = [31337, 31338, 31339];
const currencies = [
  ["0x0000000000000000000000000000000000000000", "ETH"],
  ["0xaaaa000000000000000000000000000000000001", "USDC"],
  // Shares its first bytes with the one above.
  ["0xaaaa000000000000000000000000000000000002", "USDT"],
] as const;
const types = ["Bridge", "Crosschain Swap", "Send", "Call"] as const;
const reasons = [null, "SLIPPAGE", "UNKNOWN", "DOUBLE_SPEND"];

/** So few addresses that requests share them. */
export const addresses = Array.from({ length: 6 }, (_, index) => `0x${String(index + 1).repeat(40)}`);
/** Ids of keys. */
export const keyIds = ["key-a", "key-b"];
/** Features that requests have. */
export const someFeatures = ["app_fees", "fast_fill", "fixed_rate"];

/** Requests that share values in every combination. */
export function samples(count: number, seed: number): readonly Sample[] {
  const random = seeded(seed);
  const pick = picker(random);
  const maybe = <Value>(value: Value, share = 0.5): Value | null => (random() < share ? value : null);
  return Array.from({ length: count }, (_, index) => {
    const [currencyIn, symbolIn] = pick(currencies);
    const [currencyOut, symbolOut] = pick(currencies);
    const created = 1_000_000 + Math.floor(random() * 40) * 500;
    const id = idOf(index);
    const row = requestRow({
      amount_usd: Math.floor(random() * 12) * 1_000_000,
      api_key_id: maybe(pick(keyIds)),
      app_fees_usd: maybe(Math.floor(random() * 5) * 1_000, 0.3) ?? 0,
      created_at: created,
      currency_in: currencyIn,
      currency_in_symbol: symbolIn,
      currency_out: currencyOut,
      currency_out_symbol: symbolOut,
      deposit_address: maybe(pick(addresses), 0.2),
      destination_chain_id: pick(chains),
      fail_reason: pick(reasons),
      fill_time_ms: maybe(Math.floor(random() * 8) * 500),
      id,
      order_id: orderIdOf(index),
      origin_block: maybe(Math.floor(random() * 20)),
      origin_chain_id: pick(chains),
      parent_id: index > 10 ? maybe(idOf(Math.floor(random() * 10)), 0.1) : null,
      recipient: pick(addresses),
      referrer: maybe(pick(["app-one", "app-two"])),
      refund_fail_reason: maybe("AMOUNT_TOO_LOW_TO_REFUND", 0.2),
      request_type: pick(types),
      status: pick(requestStatuses),
      updated_at: created + Math.floor(random() * 5) * 1_000,
      user: pick(addresses),
    });
    const features = someFeatures.filter(() => random() < 0.3);
    const kinds = (["deposit", "fill", "refund"] as const).filter(() => random() < 0.5);
    // Some transactions belong to several requests.
    const hashes = kinds.map((kind) => ({ hash: hashOf(Math.floor(random() * count)), kind }));
    return { features, hashes, row };
  });
}

export function idOf(index: number): string {
  return `0x${((index * 7_919) % 104_729).toString(16).padStart(8, "0").padEnd(64, "0")}`;
}

export function hashOf(index: number): string {
  return `0xff${index.toString(16).padStart(62, "0")}`;
}

export function orderIdOf(index: number): string {
  return `0xee${index.toString(16).padStart(62, "0")}`;
}
