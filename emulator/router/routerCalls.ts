import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, parseAbi, zeroAddress } from "viem";
import { relayApprovalProxyV2_1Abi } from "../../src/abi/RelayApprovalProxyV2_1.ts";
import { relayApprovalProxyV3Abi } from "../../src/abi/RelayApprovalProxyV3.ts";
import { relayRouterV2_1Abi } from "../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../src/abi/RelayRouterV3.ts";
import { uniswapV2RouterAbi } from "../../src/calls/recipes/uniswapV2.ts";
import type { Chain, RouterVersion } from "../chains/Chain.ts";
import type { IntentCall } from "../requests/Intent.ts";

const exactOutputAbi = parseAbi([
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)",
]);
const wrappedNativeAbi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);

/** A call of the router. Unless it may fail, its failure reverts all calls. */
type RouterCall = IntentCall & { readonly allowFailure?: boolean };

/** Addresses that router calls need on a chain. */
export type Places = Pick<Chain, "contracts" | "swap">;

/** An exchange by calls of the service's router, which holds the input before the first call. */
type Exchange = {
  /** Currencies from the input's to the output's; the zero address is the native currency. */
  readonly path: readonly Address[];
  /** Maximum spent on a fixed output. */
  readonly amountIn: bigint;
  readonly output: { readonly exactly: bigint } | { readonly atLeast: bigint };
  /** Receives the output; the router itself where calls follow. */
  readonly to: Address;
  /** Receives the part of the input that a fixed output leaves. */
  readonly change: Address;
  /** Part of the change that another account receives. */
  readonly shared?: SharedChange | undefined;
  /** Unix seconds of the chain. */
  readonly deadline: bigint;
};

type SharedChange = {
  /** Amount that `change` receives first, or everything if there is less. */
  readonly first: bigint;
  /** Receives the rest. */
  readonly rest: Address;
};

export function routerOf({ contracts }: Pick<Places, "contracts">, version: RouterVersion): Address {
  return version === "v3" ? contracts.v3.erc20Router : contracts.erc20Router;
}

/** The approval proxy of a version, which users and the solver approve. */
export function approvalProxyOf({ contracts }: Pick<Places, "contracts">, version: RouterVersion): Address {
  return version === "v3" ? contracts.v3.approvalProxy : contracts.approvalProxy;
}

/** Builds the calls of an exchange, in order. */
export function exchangeCalls(
  exchange: Exchange,
  places: Places,
  version: RouterVersion,
): readonly RouterCall[] {
  const { amountIn, path, to } = exchange;
  const [from = zeroAddress] = path;
  const last = path.at(-1) ?? from;
  const { wrappedNative } = places.swap;
  if (from === last) return payCalls(from, amountIn, to, places, version);
  if (isSame(from, zeroAddress) && isSame(last, wrappedNative)) {
    return [
      { data: encode(wrappedNativeAbi, "deposit", []), to: wrappedNative, value: amountIn },
      ...payCalls(wrappedNative, amountIn, to, places, version),
    ];
  }
  if (isSame(from, wrappedNative) && isSame(last, zeroAddress)) {
    return [
      { data: encode(wrappedNativeAbi, "withdraw", [amountIn]), to: wrappedNative, value: 0n },
      ...payCalls(zeroAddress, amountIn, to, places, version),
    ];
  }
  if (!("exactly" in exchange.output)) return spendAll(exchange, places);
  // A contract that receives native currency can make the router sweep itself, so the change is paid out
  // before.
  const isPaidLast = isSame(last, zeroAddress);
  const swap = swapCall({ ...exchange, to: isPaidLast ? routerOf(places, version) : to }, places);
  const change = changeCalls(exchange, places, version);
  if (isSame(from, zeroAddress)) return [swap, ...change];
  const paid = isPaidLast ? payCalls(last, exchange.output.exactly, to, places, version) : [];
  // Neither change nor allowance of a fixed output may stay at the router.
  const approve = (amount: bigint) => approveCall(from, amount, places);
  return [approve(amountIn), swap, approve(0n), ...change, ...paid];
}

/** A fixed input is spent completely. */
function spendAll(exchange: Exchange, places: Places): readonly RouterCall[] {
  const { amountIn, path } = exchange;
  const [from = zeroAddress] = path;
  const swap = swapCall(exchange, places);
  return isSame(from, zeroAddress) ? [swap] : [approveCall(from, amountIn, places), swap];
}

function approveCall(token: Address, amount: bigint, { swap }: Places): IntentCall {
  return { data: encode(erc20Abi, "approve", [swap.router, amount]), to: token, value: 0n };
}

/** Builds the calls that pay out the router's balances; none when the router itself receives it. */
export function payCalls(
  currency: Address,
  amount: bigint,
  to: Address,
  places: Places,
  version: RouterVersion,
): readonly IntentCall[] {
  if (amount === 0n || isSame(to, routerOf(places, version))) return [];
  if (isSame(currency, zeroAddress)) return [{ data: "0x", to, value: amount }];
  return [{ data: encode(erc20Abi, "transfer", [to, amount]), to: currency, value: 0n }];
}

/**
 * Builds the calls that pay out the change of a fixed output. Its amount is known on chain only, and a sweep is
 * bounded by the balance alone. So one call sweeps for both accounts and reverts if the first account's part is
 * missing; the next call then gives everything to the first account.
 */
function changeCalls(
  { change, path, shared }: Exchange,
  places: Places,
  version: RouterVersion,
): readonly RouterCall[] {
  const [from = zeroAddress] = path;
  const sweep = (token: Address, to: Address) => sweepCall(token, [{ amount: 0n, to }], places, version);
  if (shared === undefined) return [sweep(from, change)];
  const { first, rest } = shared;
  const shares = [
    { amount: first, to: change },
    { amount: 0n, to: rest },
  ].filter(({ to }) => first > 0n || to === rest);
  const split = isSame(from, zeroAddress)
    ? splitNativeCall(shares, places, version)
    : sweepCall(from, shares, places, version);
  return [{ ...split, allowFailure: true }, sweep(from, change)];
}

/**
 * Builds the call that sweeps native currency for several accounts, or for none. The last one receives it
 * wrapped: none of its code runs while the router holds money of others.
 */
function splitNativeCall(
  shares: Parameters<typeof sweepCall>[1],
  places: Places,
  version: RouterVersion,
): IntentCall {
  const { wrappedNative } = places.swap;
  const router = routerOf(places, version);
  const wrapAll = encode(relayRouterV3Abi, "cleanupNativeViaCall", [
    0n,
    wrappedNative,
    encode(wrappedNativeAbi, "deposit", []),
  ]);
  const calls = [
    ...shares.slice(0, -1).map((share) => sweepCall(zeroAddress, [share], places, version).data),
    wrapAll,
    sweepCall(wrappedNative, shares.slice(-1), places, version).data,
  ];
  // The router's only atomic batch. It approves each target by one unit first; the target here is the router.
  const data = encode(relayRouterV3Abi, "cleanupErc20sViaCall", [
    calls.map(() => wrappedNative),
    calls.map(() => router),
    calls,
    calls.map(() => 1n),
  ]);
  return { data, to: router, value: 0n };
}

/**
 * Builds the call that moves the router's balance of a currency to one account after the other; zero means all
 * that is left.
 */
function sweepCall(
  currency: Address,
  shares: readonly { readonly to: Address; readonly amount: bigint }[],
  places: Places,
  version: RouterVersion,
): IntentCall {
  const router = routerOf(places, version);
  const isNative = currency === zeroAddress;
  const functionName = isNative ? "cleanupNative" : "cleanupErc20s";
  const args: readonly unknown[] = isNative
    ? [shares[0]?.amount ?? 0n, shares[0]?.to]
    : [shares.map(() => currency), shares.map(({ to }) => to), shares.map(({ amount }) => amount)];
  const data =
    version === "v3"
      ? encode(relayRouterV3Abi, functionName, [...args, "0x"])
      : encode(relayRouterV2_1Abi, functionName, args);
  return { data, to: router, value: 0n };
}

function swapCall({ amountIn, deadline, output, path, to }: Exchange, { swap }: Places): IntentCall {
  const tokens = path.map((currency) => (currency === zeroAddress ? swap.wrappedNative : currency));
  const fromNative = path[0] === zeroAddress;
  const toNative = path.at(-1) === zeroAddress;
  const rest = [tokens, to, deadline];
  const value = fromNative ? amountIn : 0n;
  if ("exactly" in output) {
    const name = fromNative
      ? "swapETHForExactTokens"
      : toNative
        ? "swapTokensForExactETH"
        : "swapTokensForExactTokens";
    const limits = fromNative ? [output.exactly] : [output.exactly, amountIn];
    return { data: encode(exactOutputAbi, name, [...limits, ...rest]), to: swap.router, value };
  }
  const name = fromNative
    ? "swapExactETHForTokens"
    : toNative
      ? "swapExactTokensForETH"
      : "swapExactTokensForTokens";
  const limits = fromNative ? [output.atLeast] : [amountIn, output.atLeast];
  return { data: encode(uniswapV2RouterAbi, name, [...limits, ...rest]), to: swap.router, value };
}

function isSame(a: Address, b: Address): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Tests run every name used above; viem's types cannot follow a computed name. */
function encode(abi: readonly unknown[], functionName: string, args: readonly unknown[]): `0x${string}` {
  return encodeFunctionData({ abi, args, functionName } as Parameters<typeof encodeFunctionData>[0]);
}

/** A transaction, before gas and nonce. */
export type Transaction = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/** Calls to make with the sender's money. */
export type RouterWork = {
  readonly currency: Address;
  readonly amount: bigint;
  readonly calls: readonly RouterCall[];
  /** Native currency that the calls spend besides the amount, in wei. @default 0n */
  readonly native?: bigint | undefined;
  /** Receives the native currency that the calls leave. */
  readonly refundTo: Address;
  /** Receives NFTs from the calls. */
  readonly nftRecipient: Address;
  readonly requestId: Hex;
};

/**
 * Builds the transaction that runs calls through the service's router: directly for native currency, through
 * the approval proxy for a token. Version 3 takes the requestId as metadata; version 2.1 has it appended to the
 * calldata.
 */
export function routerTransaction(work: RouterWork, places: Places, version: RouterVersion): Transaction {
  const { amount, currency, native = 0n, nftRecipient, refundTo, requestId } = work;
  const calls = work.calls.map(({ allowFailure = false, data, to, value }) => ({
    allowFailure,
    callData: data,
    target: to,
    value,
  }));
  const to = currency === zeroAddress ? routerOf(places, version) : approvalProxyOf(places, version);
  const value = currency === zeroAddress ? amount + native : native;
  if (version === "v3") {
    const data =
      currency === zeroAddress
        ? encodeFunctionData({
            abi: relayRouterV3Abi,
            args: [calls, refundTo, nftRecipient, requestId],
            functionName: "multicall",
          })
        : encodeFunctionData({
            abi: relayApprovalProxyV3Abi,
            args: [[currency], [amount], calls, refundTo, nftRecipient, requestId],
            functionName: "transferAndMulticall",
          });
    return { data, to, value };
  }
  const data =
    currency === zeroAddress
      ? encodeFunctionData({
          abi: relayRouterV2_1Abi,
          args: [calls, refundTo, nftRecipient],
          functionName: "multicall",
        })
      : encodeFunctionData({
          abi: relayApprovalProxyV2_1Abi,
          args: [[currency], [amount], calls, refundTo, nftRecipient],
          functionName: "transferAndMulticall",
        });
  return { data: concatHex([data, requestId]), to, value };
}
