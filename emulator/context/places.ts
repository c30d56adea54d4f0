import type { Address } from "viem";
import type { LocalAccounts } from "../chains/accounts.ts";
import type { Chain } from "../chains/Chain.ts";
import { balanceOf } from "../chains/rpc.ts";
import type { SvmChain } from "../chains/svm/SvmChain.ts";
import type { Exchange } from "../perps/openExchange.ts";

/** A ledger that the service takes payments on and pays on. */
export type Place = Chain | Exchange | SvmChain;

export type Places = ReadonlyMap<number, Place>;

/** All ledgers: the EVM chains, and of the perps exchange and the SVM chain those that are on. */
export function placesOf({
  chains,
  exchange,
  svm,
}: {
  readonly chains: ReadonlyMap<number, Chain>;
  readonly exchange?: Exchange | undefined;
  readonly svm?: SvmChain | undefined;
}): Places {
  const others: readonly (Place | undefined)[] = [exchange, svm];
  if (others.every((place) => place === undefined)) return chains;
  const places = new Map<number, Place>(chains);
  for (const place of others) if (place !== undefined) places.set(place.definition.id, place);
  return places;
}

/** Whether a ledger is the SVM chain. */
export function isSvmChain(place: Place): place is SvmChain {
  return "svm" in place;
}

/** Whether a ledger is an EVM chain. */
export function isEvmChain(place: Place): place is Chain {
  return place.swap !== undefined;
}

/** Balance of an account on a ledger, in smallest units. */
export function balanceAt(place: Place, currency: Address, account: Address): Promise<bigint> {
  return isEvmChain(place) ? balanceOf(place, currency, account) : place.balanceOf(currency, account);
}

/** Kind of virtual machine, as the service names it. */
export function vmTypeOf(place: Place): "evm" | "hypevm" | "svm" {
  if (isEvmChain(place)) return "evm";
  return isSvmChain(place) ? "svm" : "hypevm";
}

/** The solver's account on a ledger: one on all but the SVM chain. */
export function solverAt(place: Place, { solver }: Pick<LocalAccounts, "solver">): Address {
  return isSvmChain(place) ? place.solver : solver.account.address;
}

/** A chain that listings and `GET /chains` hide unless its UUID is named. */
export type PrivateChain = { readonly id: number; readonly uuid: string };

/** Ids of the private chains that a query does not name. */
export function hiddenChains(
  { privateChains = [] }: { readonly privateChains?: readonly PrivateChain[] | undefined },
  named: readonly string[] = [],
): readonly number[] {
  const shown = new Set(named.map((uuid) => uuid.toLowerCase()));
  return privateChains.filter(({ uuid }) => !shown.has(uuid.toLowerCase())).map(({ id }) => id);
}
