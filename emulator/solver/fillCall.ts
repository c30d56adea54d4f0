import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from "viem";
import { relayApprovalProxyV3Abi } from "../../src/abi/RelayApprovalProxyV3.ts";
import { relayRouterV3Abi } from "../../src/abi/RelayRouterV3.ts";
import type { ServiceContracts } from "../chains/Chain.ts";
import type { Intent } from "../store/Intent.ts";

/** A transaction of the solver, before gas and nonce. */
export type SolverCall = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/**
 * The transaction that delivers `amount` as an intent asks: a plain transfer with the requestId behind it, or the calls
 * through the v3 router, with the requestId as metadata.
 */
export function fillCall(
  intent: Pick<Intent, "requestId" | "recipient" | "txs"> & { destination: { currency: Address } },
  contracts: ServiceContracts,
  amount: bigint,
): SolverCall {
  const { recipient, requestId, txs } = intent;
  const { currency } = intent.destination;
  if (txs.length === 0) return transferCall({ amount, currency, recipient, tag: requestId });

  const calls = txs.map(({ data, to, value }) => ({
    allowFailure: false,
    callData: data,
    target: to,
    value,
  }));
  if (currency === zeroAddress) {
    return {
      data: encodeFunctionData({
        abi: relayRouterV3Abi,
        args: [calls, recipient, recipient, requestId],
        functionName: "multicall",
      }),
      to: contracts.v3.erc20Router,
      value: amount,
    };
  }
  return {
    data: encodeFunctionData({
      abi: relayApprovalProxyV3Abi,
      args: [[currency], [amount], calls, recipient, recipient, requestId],
      functionName: "transferAndMulticall",
    }),
    to: contracts.v3.approvalProxy,
    value: 0n,
  };
}

/** A transfer that names the request it belongs to in the bytes behind its arguments. */
export function transferCall(parameters: {
  currency: Address;
  recipient: Address;
  amount: bigint;
  tag: Hex;
}): SolverCall {
  const { amount, currency, recipient, tag } = parameters;
  if (currency === zeroAddress) return { data: tag, to: recipient, value: amount };
  const transfer = encodeFunctionData({ abi: erc20Abi, args: [recipient, amount], functionName: "transfer" });
  return { data: concatHex([transfer, tag]), to: currency, value: 0n };
}
