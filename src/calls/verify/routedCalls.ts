import { type Address, concat, type Hex, parseAbi } from "viem";
import { decodeCall } from "../decodeCall.ts";
import { encodeOverload, serviceFunctions } from "../serviceFunctions.ts";

/** A call of a router. */
export type RoutedCall = {
  readonly target: Address;
  readonly allowFailure: boolean;
  readonly value: bigint;
  readonly callData: Hex;
};

/** Functions that a proof decodes besides {@link serviceFunctions}: the user's own ERC-2612 payment. */
export const proofFunctions = /* @__PURE__ */ [
  ...serviceFunctions,
  ...parseAbi([
    "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
    "struct Permit2612 { address token; address owner; uint256 value; uint256 nonce; uint256 deadline; uint8 v; bytes32 r; bytes32 s; }",
    "function permitTransferAndMulticall(Permit2612[] permits, Call3Value[] calls, address refundTo, address nftRecipient)",
    "function permitTransferAndMulticall(Permit2612[] permits, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata)",
  ]),
] as const;

/** Encodes a call of a function that proofs decode, as `encodeOverload` does. */
export function encodeCall(
  functionName: (typeof proofFunctions)[number]["name"],
  args: readonly unknown[],
): Hex {
  return encodeOverload(proofFunctions, functionName, args);
}

/** Replaces the calls in the calldata of a router or an approval proxy. Returns `undefined` for another function. */
export function replaceCalls(
  data: Hex,
  replace: (calls: readonly RoutedCall[]) => readonly RoutedCall[],
): Hex | undefined {
  const call = decodeCall(proofFunctions, data);
  const place = call?.item.inputs.findIndex(({ name }) => name === "calls") ?? -1;
  if (call === undefined || place < 0) return undefined;
  const args = [...(call.args ?? [])] as unknown[];
  args[place] = replace(args[place] as readonly RoutedCall[]);
  return concat([encodeCall(call.functionName, args), call.tag]);
}

/** A condition that must hold on the chain after some calls of a router. */
export type OutputClaim = {
  /** Path of the payment in the quote, dotted. */
  readonly path: string;
  /**
   * `gain`: the account's balance grows by the amount, from before the call at `index` to after the last. `balance`: it is
   * at least the amount before the call at `index`.
   */
  readonly kind: "gain" | "balance";
  readonly currency: Address;
  readonly account: Address;
  readonly minimum: bigint;
  readonly calls: readonly RoutedCall[];
  /** Index of a call; see `kind`. */
  readonly index: number;
  readonly router: Address;
  readonly version: "v2.1" | "v3";
  /** False when a signature fixes the calls, so that no guard can be inserted. */
  readonly isOpen: boolean;
};

/** Balances and sender of a simulation. */
export type SimulatedInput = {
  readonly currency: Address;
  readonly amount: bigint;
  readonly sender: Address;
};

/** Simulates a claim. Returns the account's gain or balance, or undefined when a call fails. */
export type QuoteSimulator = (claim: OutputClaim, input: SimulatedInput) => Promise<bigint | undefined>;
