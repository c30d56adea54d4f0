import {
  type Address,
  compactSignatureToSignature,
  concatHex,
  encodeFunctionData,
  type Hex,
  parseCompactSignature,
  parseSignature,
  size,
} from "viem";
import { relayApprovalProxyV2_1Abi } from "../../../src/abi/RelayApprovalProxyV2_1.ts";
import { relayApprovalProxyV3Abi } from "../../../src/abi/RelayApprovalProxyV3.ts";
import type { Chain, RouterVersion } from "../../chains/Chain.ts";
import type { PermitTerms } from "../../requests/Intent.ts";
import type { RouterWork, Transaction } from "../../router/routerCalls.ts";
import { validBefore } from "./permitTypedData.ts";

const compactBytes = 64;

/** The transaction that passes a signature to the approval proxy, which pulls the tokens and lets the router make the calls. */
export function permitTransaction(
  work: RouterWork,
  terms: PermitTerms,
  { signature, user }: { readonly user: Address; readonly signature: Hex },
  version: RouterVersion,
): Transaction {
  const { amount, currency, nftRecipient, refundTo, requestId } = work;
  const { deadline, nonce, proxy } = terms;
  const calls = work.calls.map(({ data, to, value }) => ({
    allowFailure: false,
    callData: data,
    target: to,
    value,
  }));
  const purpose = [calls, refundTo, nftRecipient, ...(version === "v3" ? [requestId] : [])];
  const call = (functionName: string, args: readonly unknown[]): Transaction => {
    const data = encode(version, functionName, args);
    return { data: version === "v3" ? data : concatHex([data, requestId]), to: proxy, value: 0n };
  };
  switch (terms.way) {
    case "permit2": {
      const permit = { deadline: BigInt(deadline), nonce, permitted: [{ amount, token: currency }] };
      return call("permit2TransferAndMulticall", [user, permit, ...purpose, signature]);
    }
    case "eip3009": {
      const times = { validAfter: 0n, validBefore: validBefore(deadline) };
      const permit = { ...split(signature), ...times, from: user, value: amount };
      return call("permit3009TransferAndMulticall", [[permit], [currency], ...purpose]);
    }
    case "permit": {
      const permit = { deadline: BigInt(deadline), nonce, owner: user, token: currency, value: amount };
      return call("permitTransferAndMulticall", [[{ ...split(signature), ...permit }], ...purpose]);
    }
  }
}

/** Splits a signature into the `v`, `r`, `s` of token functions. */
function split(signature: Hex): { r: Hex; s: Hex; v: number } {
  const { r, s, yParity } =
    size(signature) === compactBytes
      ? compactSignatureToSignature(parseCompactSignature(signature))
      : parseSignature(signature);
  return { r, s, v: 27 + (yParity ?? 0) };
}

/** Encodes a call by its computed name, which viem's types cannot follow. Tests run every name. */
function encode(version: RouterVersion, functionName: string, args: readonly unknown[]): Hex {
  const abi = version === "v3" ? relayApprovalProxyV3Abi : relayApprovalProxyV2_1Abi;
  return encodeFunctionData({ abi, args, functionName } as Parameters<typeof encodeFunctionData>[0]);
}

/**
 * Earliest time at which a transaction sent now is mined, in unix seconds. An idle chain is behind the clock; one whose
 * time was moved forward is ahead of it.
 */
export function chainTime({ head }: Pick<Chain, "head">, now: number): number {
  return Math.max(Number(head().timestamp), Math.floor(now / 1_000));
}
