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
