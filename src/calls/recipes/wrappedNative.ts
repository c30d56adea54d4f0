import { type Address, encodeFunctionData, parseAbi } from "viem";
import { readAccount } from "../../internal/readAddress.ts";
import { readUint256 } from "../../internal/readUint256.ts";
import type { Call } from "../Call.ts";
import { balanceOf } from "../liveBalance.ts";
import { type ProxyStepReturnType, proxyStep } from "../proxyStep.ts";
import { spendNative } from "./spendNative.ts";

const wrappedNativeAbi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);

export type WrapNativeParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** Router that executes the calls, of either version. */
  router: Address;
  /** The wrapped native currency, with the functions of WETH9. */
  wrappedNative: Address;
  /** Receives the wrapped currency. */
  recipient: Address;
  /** Minimum that must arrive, in wei. Default: none. */
  minimumReceived?: bigint | undefined;
};

export type WrapNativeReturnType = readonly [Call];

/**
 * Composes a call that wraps the whole arrived native amount and sends it to a recipient. The router skips the call,
 * and so a `minimumReceived`, when it has no native currency.
 *
 * @returns One call to the router.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { wrapNative } from "waybill";
 *
 * const calls = wrapNative({
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   router: "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
 *   wrappedNative: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
 * });
 */
export function wrapNative(parameters: WrapNativeParameters): WrapNativeReturnType {
  const { minimumReceived, proxy, router } = parameters;
  const recipient = readAccount(parameters.recipient, "recipient");
  const wrappedNative = readAccount(parameters.wrappedNative, "wrappedNative");
  return spendNative({
    data: encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" }),
    minimumReceived,
    // Wrapping is one to one, so both minima are the same.
    output: { minimum: readUint256(minimumReceived ?? 0n, "minimumReceived"), token: wrappedNative },
    proxy,
    recipient,
    router,
    target: wrappedNative,
  });
}

export type UnwrapNativeParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** The wrapped native currency that arrives on the router, with the functions of WETH9. */
  wrappedNative: Address;
  /** Receives the native currency. */
  recipient: Address;
  /** Minimum that must arrive, in wei. Default: any non-zero amount. */
  minimumReceived?: bigint | undefined;
};

export type UnwrapNativeReturnType = ProxyStepReturnType;

/**
 * Composes calls that unwrap the whole arrived amount of wrapped native currency and send it to a recipient.
 *
 * @returns Calls. Keep them together and in order.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { unwrapNative } from "waybill";
 *
 * const calls = unwrapNative({
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   wrappedNative: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
 * });
 */
export function unwrapNative(parameters: UnwrapNativeParameters): UnwrapNativeReturnType {
  const { minimumReceived, proxy, recipient } = parameters;
  const wrappedNative = readAccount(parameters.wrappedNative, "wrappedNative");
  return proxyStep({
    abi: wrappedNativeAbi,
    address: wrappedNative,
    args: [balanceOf(wrappedNative)],
    functionName: "withdraw",
    minimumReceived,
    proxy,
    recipient,
    // WETH9 accepts any change of an allowance, and a withdrawal spends all of it.
    resetFirst: false,
    token: wrappedNative,
  });
}
