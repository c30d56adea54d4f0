import type { Hex } from "viem";
import type { TrustRoots } from "../calls/verify/TrustRoots.ts";
import { hashOrder } from "../records/hashOrder.ts";
import { normalizeOrder } from "../records/normalizeOrder.ts";
import type { Quote } from "../schema/quote/quote.ts";

/** Hashes the quote's order: the quote may state the id of another one. Returns that id without an order. */
export function trustedOrderId({ protocol }: Quote, { chains }: TrustRoots): Hex | string | undefined {
  const { orderData, orderId } = protocol?.v2 ?? {};
  if (orderData === undefined) return orderId;
  const named = chains.filter(({ vmType }) => vmType !== undefined);
  const vmTypes = Object.fromEntries(named.map(({ name, vmType }) => [name, vmType]));
  try {
    return hashOrder({ order: normalizeOrder({ orderData, vmTypes: vmTypes as never }) });
  } catch {
    return "of an order that can be hashed";
  }
}
