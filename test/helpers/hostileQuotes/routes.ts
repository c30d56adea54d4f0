import { parseEther } from "viem";
import { calls } from "../../../src/calls/calls.ts";
import type { GetQuoteParameters } from "../../../src/client/index.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { fiftyDollars, type TestSymbol } from "../quotes/intents.ts";

/** Money that a request must deliver to an account. */
export type Delivery = {
  readonly account: `0x${string}`;
  readonly chain: "alpha" | "beta";
  readonly symbol: TestSymbol;
  /** If `undefined`, the caller's minimum output less the calls' spending. */
  readonly minimum?: bigint;
  readonly spent?: bigint;
};

/** A kind of route of the emulator, with the user and form of its request. */
export type RouteKind = {
  readonly name: string;
  readonly from: TestSymbol;
  readonly to: TestSymbol;
  readonly sameChain?: boolean;
  readonly more?: Partial<GetQuoteParameters>;
  /** Calls to make with the output; `callee` is a fresh account. */
  readonly txs?: (destination: TestChain, accounts: Accounts) => Pick<GetQuoteParameters, "txs">;
  /** Amount that the calls deliver to the callee, in the destination's currency. */
  readonly toCallee?: bigint;
  /** Whether the user is the recipient. */
  readonly isOwn?: boolean;
  /** Whether the user once gave the service's contracts unlimited allowances. */
  readonly isVeteran?: boolean;
};

/** The parties of a request. */
export type Accounts = {
  readonly user: `0x${string}`;
  readonly recipient: `0x${string}`;
  readonly callee: `0x${string}`;
};

const calledEther = parseEther("0.005");
const calledDollars = 7_000_000n;
const output = { tradeType: "EXACT_OUTPUT" } as const;
const permit = { permitExpiry: 600, usePermit: true } as const;

function nativeCall(chain: TestChain, { callee, recipient }: Accounts) {
  const router = chain.info.contracts.v3.erc20Router;
  const built = calls({ router }).add({ data: "0x", to: callee, value: calledEther });
  return { txs: built.sweepNative({ recipient }).txs };
}

function tokenCall(chain: TestChain, { callee, recipient }: Accounts) {
  const data = erc20Data("transfer", callee, calledDollars);
  const router = chain.info.contracts.v3.erc20Router;
  const token = chain.currency("USDC");
  const built = calls({ router }).add({ data, to: token, value: 0n });
  return { txs: built.sweepErc20s({ recipient, tokens: [token] }).txs };
}

/** Routes with the service's present contracts. */
export const presentRoutes: readonly RouteKind[] = [
  { from: "ETH", name: "native bridge", to: "ETH" },
  { from: "USDC", isVeteran: true, name: "token bridge", to: "USDC" },
  { from: "USDT", name: "token bridge of a token with a zero reset", to: "USDC" },
  { from: "ETH", name: "native bridge into another currency", to: "USDC" },
  { from: "WETH", isVeteran: true, name: "swap before a bridge", to: "USDC" },
  { from: "USDC", name: "token bridge into native", more: output, to: "ETH" },
  { from: "ETH", name: "native bridge with a fixed output", more: output, to: "ETH" },
  { from: "USDC", more: { tradeType: "EXPECTED_OUTPUT" }, name: "expected output", to: "USDT" },
  { from: "USDC", isVeteran: true, more: permit, name: "ERC-3009", to: "USDC" },
  { from: "USDT", isVeteran: true, more: permit, name: "Permit2", to: "USDC" },
  { from: "WETH", more: permit, name: "Permit2 and a swap", to: "ETH" },
  { from: "ETH", name: "calls after a bridge", to: "ETH", toCallee: calledEther, txs: nativeCall },
  {
    from: "ETH",
    name: "calls on one chain",
    sameChain: true,
    to: "USDC",
    toCallee: calledDollars,
    txs: tokenCall,
  },
  { from: "ETH", name: "swap of native on one chain", sameChain: true, to: "USDC" },
  { from: "USDC", isVeteran: true, name: "swap of a token on one chain", sameChain: true, to: "WETH" },
  { from: "USDC", more: output, name: "fixed output on one chain", sameChain: true, to: "ETH" },
  { from: "ETH", name: "native payment on one chain", sameChain: true, to: "ETH" },
  { from: "USDC", name: "token payment on one chain", sameChain: true, to: "USDC" },
  { from: "ETH", isOwn: true, name: "wrap", sameChain: true, to: "WETH" },
  { from: "WETH", isOwn: true, name: "unwrap", sameChain: true, to: "ETH" },
];

/** Routes with the older router, and USDC without authorizations, so that quotes request ERC-2612. */
export const olderRoutes: readonly RouteKind[] = [
  { from: "USDC", isVeteran: true, more: permit, name: "ERC-2612", to: "USDC" },
  { from: "WETH", name: "swap before a bridge, v2.1", to: "USDC" },
  { from: "ETH", name: "swap of native on one chain, v2.1", sameChain: true, to: "USDC" },
  { from: "USDC", isVeteran: true, name: "swap of a token on one chain, v2.1", sameChain: true, to: "WETH" },
  { from: "USDT", more: permit, name: "Permit2, v2.1", to: "USDC" },
];

/** The app's request. */
export function requestFor(
  kind: RouteKind,
  fixture: EmulatorFixture,
  accounts: Accounts,
): GetQuoteParameters {
  const { alpha, beta } = fixture;
  const destination = kind.sameChain === true ? alpha : beta;
  const tradeType = kind.more?.tradeType ?? "EXACT_INPUT";
  return {
    amount: fiftyDollars(tradeType === "EXACT_INPUT" ? kind.from : kind.to),
    destinationChainId: destination.info.id,
    destinationCurrency: destination.currency(kind.to),
    includeProtocolData: true,
    originChainId: alpha.info.id,
    originCurrency: alpha.currency(kind.from),
    tradeType,
    user: accounts.user,
    ...(kind.isOwn === true ? {} : { recipient: accounts.recipient }),
    ...kind.more,
    ...kind.txs?.(destination, accounts),
  };
}

/** The expected deliveries. */
export function deliveriesOf(kind: RouteKind, accounts: Accounts): readonly Delivery[] {
  const chain = kind.sameChain === true ? "alpha" : "beta";
  const account = kind.isOwn === true ? accounts.user : accounts.recipient;
  const { toCallee } = kind;
  if (toCallee === undefined) return [{ account, chain, symbol: kind.to }];
  const called = { account: accounts.callee, chain, minimum: toCallee, symbol: kind.to } as const;
  return [called, { account, chain, spent: toCallee, symbol: kind.to }];
}
