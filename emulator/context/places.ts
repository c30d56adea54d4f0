import type { Address } from "viem";
import { balanceOf } from "../chains/balanceOf.ts";
import type { Chain } from "../chains/Chain.ts";
import type { Exchange } from "../perps/openExchange.ts";

/** A ledger that the service takes payments on and pays on. */
export type Place = Chain | Exchange;

/** Ledgers by chain id. */
export type Places = ReadonlyMap<number, Place>;

/** All ledgers: the EVM chains, and the perps exchange if it is on. */
export function placesOf({
  chains,
  exchange,
}: {
  readonly chains: ReadonlyMap<number, Chain>;
  readonly exchange?: Exchange | undefined;
}): Places {
  return exchange === undefined
    ? chains
    : new Map<number, Place>([...chains, [exchange.definition.id, exchange]]);
}

/** Whether a ledger is an EVM chain. */
export function isEvmChain(place: Place): place is Chain {
  return place.swap !== undefined;
}

/** Balance of an account on a ledger, in smallest units. */
export function balanceAt(place: Place, currency: Address, account: Address): Promise<bigint> {
  return isEvmChain(place) ? balanceOf(place, currency, account) : place.balanceOf(currency, account);
}
