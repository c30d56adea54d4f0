import type { Hex } from "viem";
import { hashReadOrder } from "./hashOrder.ts";
import { normalizeOrder } from "./normalizeOrder.ts";
import type { WireOrder } from "./WireOrder.ts";

/** The part of a quote that names its order. */
type QuotedOrder = {
  readonly protocol?:
    | {
        readonly v2?: { readonly orderData?: WireOrder | undefined; readonly orderId: Hex } | undefined;
      }
    | undefined;
};

/** The named chains of a proof. */
type NamedChains = readonly { readonly name: string; readonly vmType?: string | undefined }[];

/**
 * Hashes the quote's order: the quote may state the id of another one. Returns that id without an order, and undefined for
 * an order that cannot be hashed.
 */
export function hashQuotedOrder({ protocol }: QuotedOrder, chains: NamedChains): Hex | undefined {
  const { orderData, orderId } = protocol?.v2 ?? {};
  if (orderData === undefined) return orderId;
  const vmTypes = Object.fromEntries(chains.map(({ name, vmType }) => [name, vmType]));
  try {
    return hashReadOrder(normalizeOrder({ orderData, vmTypes: vmTypes as never }));
  } catch {
    return undefined;
  }
}
