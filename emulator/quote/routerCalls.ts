import { type Address, encodeFunctionData, erc20Abi, parseAbi, zeroAddress } from "viem";
import { relayRouterV2_1Abi } from "../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../src/abi/RelayRouterV3.ts";
import { uniswapV2RouterAbi } from "../../src/calls/recipes/uniswapV2.ts";
import type { Chain } from "../chains/Chain.ts";
import type { IntentCall, RouterVersion } from "../store/Intent.ts";

const exactOutputAbi = parseAbi([
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)",
]);
const wrappedNativeAbi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);

/** Where a chain has what router calls go to. */
export type Places = Pick<Chain, "contracts" | "swap">;

/** What is exchanged by calls of the service's router, which holds the input when the first of them is made. */
export type Exchange = {
  /** Currencies from the input's to the output's; the zero address is the native currency. */
  readonly path: readonly Address[];
  /** With a fixed output: the most that may be spent. */
  readonly amountIn: bigint;
  readonly output: { readonly exactly: bigint } | { readonly atLeast: bigint };
  /** Who gets the output; the router itself where calls follow. */
  readonly to: Address;
  /** Who gets what a fixed output leaves of the input. */
  readonly change: Address;
  /** Unix seconds of the chain. */
  readonly deadline: bigint;
};

/** The router of a version. */
export function routerOf({ contracts }: Pick<Places, "contracts">, version: RouterVersion): Address {
  return version === "v3" ? contracts.v3.erc20Router : contracts.erc20Router;
}

/** The approval proxy of a version, which users and the solver approve. */
export function approvalProxyOf({ contracts }: Pick<Places, "contracts">, version: RouterVersion): Address {
  return version === "v3" ? contracts.v3.approvalProxy : contracts.approvalProxy;
}

/** The calls that exchange, in order. */
export function exchangeCalls(
  exchange: Exchange,
  places: Places,
  version: RouterVersion,
): readonly IntentCall[] {
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
  const swap = swapCall(exchange, places);
  const isFixed = "exactly" in exchange.output;
  if (isSame(from, zeroAddress)) {
    return isFixed ? [swap, sweepCall(zeroAddress, exchange.change, places, version)] : [swap];
  }
  const approve = (amount: bigint): IntentCall => ({
    data: encode(erc20Abi, "approve", [places.swap.router, amount]),
    to: from,
    value: 0n,
  });
  // A fixed input is spent to the last unit; what a fixed output leaves must not stay behind, nor the right to take it.
  return isFixed
    ? [approve(amountIn), swap, approve(0n), sweepCall(from, exchange.change, places, version)]
    : [approve(amountIn), swap];
}

/** The calls that pay out what the router holds: none when it is to keep it. */
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

/** The call that moves all that the router holds of a currency. */
function sweepCall(currency: Address, to: Address, places: Places, version: RouterVersion): IntentCall {
  const router = routerOf(places, version);
  const isNative = currency === zeroAddress;
  const functionName = isNative ? "cleanupNative" : "cleanupErc20s";
  const args: readonly unknown[] = isNative ? [0n, to] : [[currency], [to], [0n]];
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

/** The names above are checked by the tests that run them; viem's types cannot follow a name that is computed. */
function encode(abi: readonly unknown[], functionName: string, args: readonly unknown[]): `0x${string}` {
  return encodeFunctionData({ abi, args, functionName } as Parameters<typeof encodeFunctionData>[0]);
}
