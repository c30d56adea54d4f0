import { type Address, parseAbi } from "viem";
import type { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readAccount } from "../../internal/readAddress.ts";
import { balanceOf } from "../liveBalance.ts";
import { type ProxyStepReturnType, proxyStep } from "../proxyStep.ts";

const wrappedNativeAbi = parseAbi(["function withdraw(uint256 amount)"]);

/** What {@link unwrapNative} takes. */
export type UnwrapNativeParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** The wrapped native currency that arrives on the router, with the functions of WETH9. */
  wrappedNative: Address;
  /** Who gets the native currency. */
  recipient: Address;
  /** The least that must have arrived, in wei; defaults to anything but nothing. */
  minimumReceived?: bigint | undefined;
};

/** What {@link unwrapNative} returns. */
export type UnwrapNativeReturnType = ProxyStepReturnType;

/** What {@link unwrapNative} throws. */
export type UnwrapNativeErrorType = InvalidParameterError;

/**
 * The calls that unwrap whatever amount of wrapped native currency arrives, and send it to a recipient.
 *
 * @param parameters Proxy, wrapped currency, recipient.
 * @returns Calls to be kept together and in order.
 * @throws {InvalidParameterError} Naming the argument that does not fit.
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
    // It takes any change of an allowance, and a withdrawal leaves none.
    resetFirst: false,
    token: wrappedNative,
  });
}
