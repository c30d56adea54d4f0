import { type Address, concatHex, encodeFunctionData, type Hex, zeroAddress } from "viem";
import { relayApprovalProxyV2_1Abi } from "../../src/abi/RelayApprovalProxyV2_1.ts";
import { relayApprovalProxyV3Abi } from "../../src/abi/RelayApprovalProxyV3.ts";
import { relayRouterV2_1Abi } from "../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../src/abi/RelayRouterV3.ts";
import type { RouterVersion } from "../chains/Chain.ts";
import { approvalProxyOf, type Places, type RouterCall, routerOf } from "./routerCalls.ts";

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
