import { type Address, parseAbi } from "viem";
import { readAccount } from "../../internal/readAddress.ts";
import { balanceOf } from "../liveBalance.ts";
import { type ProxyStepReturnType, proxyStep } from "../proxyStep.ts";

const wrappedNativeAbi = parseAbi(["function withdraw(uint256 amount)"]);

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
 * @param parameters Proxy, wrapped currency, recipient.
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
