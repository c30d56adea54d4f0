import type { Chain } from "../../schema/chain.ts";
import { plain } from "./plain.ts";

/** What is known to be the service's, by what it may be used for. In lower case. */
export type Trusted = {
  /** Whether anything is known of the origin chain. */
  readonly isKnown: boolean;
  readonly depositories: ReadonlySet<string>;
  /** Who may be approved to take tokens; never a router, which anybody can have take them. */
  readonly spenders: ReadonlySet<string>;
  readonly routers: ReadonlySet<string>;
  readonly receivers: ReadonlySet<string>;
  readonly solvers: ReadonlySet<string>;
  /** Routers of the destination chain, which make the calls there. */
  readonly fillers: ReadonlySet<string>;
};

/** Where Permit2 is on every chain it was deployed to the usual way. */
export const permit2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/** Sorts the service's contracts, from its chain records and those that the caller names. */
export function readTrusted(
  origin: Chain | undefined,
  destination: Chain | undefined,
  {
    contracts = [],
    solvers = [],
  }: { contracts?: readonly string[] | undefined; solvers?: readonly string[] | undefined },
): Trusted {
  const set = (...names: readonly (string | null | undefined)[]) =>
    new Set([...names.filter((name) => typeof name === "string"), ...contracts].map(plain));
  const own = origin?.contracts;
  const depository = origin?.protocol?.v2?.depository;
  const proxies = [own?.approvalProxy, own?.v3?.approvalProxy];
  return {
    depositories: set(depository),
    fillers: set(destination?.contracts?.erc20Router, destination?.contracts?.v3?.erc20Router),
    isKnown: origin !== undefined || contracts.length > 0,
    receivers: set(own?.relayReceiver),
    routers: set(own?.erc20Router, own?.v3?.erc20Router, ...proxies),
    solvers: new Set([...(origin?.solverAddresses ?? []), ...solvers].map(plain)),
    spenders: set(depository, ...proxies, permit2),
  };
}
