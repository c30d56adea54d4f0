import { type Address, type Hex, pad, zeroAddress } from "viem";
import type { Terms } from "../../../../../src/calls/verify/Terms.ts";

export const account = (last: string) => pad(`0x${last}`, { size: 20 });
export const [user, recipient, attacker, solver] = ["0a", "0b", "bad0", "50"].map(account) as [
  Address,
  Address,
  Address,
  Address,
];
export const [depository, receiver, wrapped, token, other] = ["d0", "d1", "d2", "20", "21"].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
export const [router, proxy, olderRouter, olderProxy] = ["f0", "f1", "f2", "f3"].map(account) as [
  Address,
  Address,
  Address,
  Address,
];
export const [orderId, requestId, stray] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(32)}`) as [
  Hex,
  Hex,
  Hex,
];
export const amountIn = 5_000n;

export const origin = {
  chainId: 1,
  depository,
  name: "base",
  relayReceiver: receiver,
  routers: [
    { approvalProxy: olderProxy, router: olderRouter, version: "v2.1" },
    { approvalProxy: proxy, router, version: "v3" },
  ],
  wrappedNative: wrapped,
} as const;

export type Changes = {
  readonly from?: Address;
  readonly to?: Address;
  readonly terms?: Partial<Terms>;
  readonly request?: object;
};

/** Terms of a payment of 5,000 units: across chains and for an order by default. */
export function termsOf({ from = zeroAddress, request, terms, to = token }: Changes): Terms {
  return {
    amountIn,
    isNative: from === zeroAddress,
    isSameChain: false,
    kind: "order",
    minimumOut: amountIn,
    orderId,
    origin,
    ownAccounts: [user, recipient],
    quote: {},
    recipient,
    request: { destinationCurrency: to, originCurrency: from, user, ...request },
    requestId,
    trust: { chains: [origin], solvers: [account("51"), solver] },
    txs: [],
    ...terms,
  } as unknown as Terms;
}
