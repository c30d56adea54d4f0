import { type Abi, encodeFunctionData, type Hex } from "viem";
import { readAddress } from "../internal/readAddress.ts";
import { readList } from "../internal/readParts.ts";
import { type ChainClient, callChain } from "./callChain.ts";
import { decodeCall } from "./decodeCall.ts";
import { decodeResults } from "./decodeResults.ts";
import { decodeRevert, type Revert } from "./decodeRevert.ts";
import { type Failure, type FailureSource, readFailure } from "./readFailure.ts";
import { serviceFunctions } from "./serviceFunctions.ts";
import { type EncodedCallInput, type ToCallParameters, toCall } from "./toCall.ts";

const approveSelector = "0x095ea7b3";
const zeroFirst = "Set the allowance to zero first: some tokens refuse to change one that is not.";

/** Remedy of each known error and `failReason`. */
const fixes: Readonly<Record<string, string>> = {
  CallFailed: "Simulate the call inside the sweep by itself: the router hides its reason.",
  ERC20InsufficientAllowance:
    "Approve the contract that is called, in a call before it, for the whole amount.",
  ERC20InsufficientBalance: "Spend no more than arrives, or read the live balance by a proxy step.",
  NoRecipientSet: "Name who gets NFTs: the router takes none for nobody.",
  OutputTooLow: "Accept a lower minimum, or ask for a new quote.",
  QUOTED_GAS_LIMIT_EXCEEDED:
    "Ask for a new quote with a higher `txsGasLimit`, or with calls that take less gas.",
  ReceivedTooLittle: "Accept a lower minimum, or ask for a new quote.",
  SLIPPAGE: "Accept more slippage, or ask for a new quote.",
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE:
    "Approve the contract that is called, in a call before it, for the whole amount.",
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: "Spend no more than arrives, or read the live balance by a proxy step.",
  TargetHasNoCode: "Look at the address and at the chain it is for.",
};

/** Either the `data` of a request record, or a `requestId` with `getRequests`. */
export type ExplainFailureParameters = FailureSource & {
  /** The quote request's `txs`, to find the index of the failed call. */
  txs?: readonly ToCallParameters[] | undefined;
  abis?: readonly Abi[] | undefined;
};

export type ExplainFailureReturnType = {
  readonly failReason: string | undefined;
  /** The reverted transaction; undefined when the solver saw the failure before sending one. */
  readonly failedTxHash: Hex | undefined;
  /** Whether the replayed call fails again. */
  readonly reproduced: boolean;
  /** Index of the failed call among the router's calls. */
  readonly callIndex: number | undefined;
  /** Its index in `txs`; undefined when it is not in `txs`. */
  readonly txIndex: number | undefined;
  readonly revert: Revert | undefined;
  readonly fix: string | undefined;
  /** Human-readable summary. */
  readonly text: string;
};

/**
 * Explains a failed fill. Replays the recorded call by `eth_call`, finds the router's call that fails, and decodes its
 * error. `reproduced` is false when the chain's state has changed and the call succeeds now.
 *
 * @param client Reads the destination chain; must be an archive node for `failedTxBlockNumber`.
 * @param parameters The record's fields or a way to read them, and the request's `txs`. Errors of `getRequests` pass
 * through.
 * @returns The failed call, its error and the remedy.
 * @throws {InvalidParameterError} For an unreadable part of the record, by name.
 * @throws {ChainReadFailedError} When the chain does not answer, or does not have the block.
 *
 * @example
 * import { createPublicClient, http } from "viem";
 * import { explainFailure } from "waybill";
 * import { createClient, getRequests } from "waybill/client";
 *
 * const service = createClient({ apiKey: "your-key", baseUrl: "http://127.0.0.1:4000" });
 * const client = createPublicClient({ transport: http("http://127.0.0.1:8546") });
 * const { failReason, fix, txIndex } = await explainFailure(client, {
 *   getRequests: (query) => getRequests(service, query),
 *   requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 * });
 * console.log(failReason, fix, txIndex);
 */
export async function explainFailure(
  client: ChainClient,
  parameters: ExplainFailureParameters,
): Promise<ExplainFailureReturnType> {
  const { abis } = parameters;
  const txs = readList(parameters.txs ?? [], "txs", (tx, parameter) =>
    toCall(tx as ToCallParameters, parameter),
  );
  const { failedCallData, failedTxBlockNumber, ...said } = await readFailure(client, parameters);
  if (failedCallData === undefined) return explanation(said);
  const { data, to, value } = toCall(failedCallData as EncodedCallInput, "failedCallData");
  const from = readAddress(failedCallData.from, "failedCallData.from");
  const makeAt = (blockNumber: bigint | undefined, calldata: Hex) =>
    callChain(client, "making the failed call again", {
      account: from,
      blockNumber,
      data: calldata,
      to,
      value,
    });
  let block = failedTxBlockNumber;
  let whole = await makeAt(block, data);
  if (!whole.failed && said.failedTxHash !== undefined && block !== undefined && block > 0n) {
    // Replays on the parent block: the block's final state includes later transactions.
    block -= 1n;
    whole = await makeAt(block, data);
  }
  if (!whole.failed) return explanation({ ...said, reproduced: false });
  const routed = readRouted(data);
  const tolerant = routed === undefined ? undefined : await makeAt(block, routed.tolerant);
  const made = tolerant === undefined || tolerant.failed ? [] : readResults(tolerant.data);
  const callIndex = made.findIndex(({ success }) => !success);
  const failed = routed?.calls[callIndex];
  if (failed === undefined) return explanation({ ...said, revert: decodeRevert(whole.data, abis) });
  const txIndex = txs.findIndex(
    (tx) => `${tx.to}${tx.data}`.toLowerCase() === `${failed.target}${failed.callData}`.toLowerCase(),
  );
  const revert = decodeRevert(made[callIndex]?.returnData ?? "0x", abis);
  // USDT-like tokens revert without a reason.
  const isApproval = failed.callData.startsWith(approveSelector) && revert.name === undefined;
  return explanation({
    ...said,
    callIndex,
    fix: isApproval ? zeroFirst : undefined,
    revert,
    txIndex: txIndex < 0 ? undefined : txIndex,
  });
}

/** Results of the calls; undefined when the target is no router. */
function readResults(data: Hex) {
  try {
    return decodeResults(data);
  } catch {
    return [];
  }
}

/** The router's calls, and the same calldata with every call allowed to fail, to get each result. */
function readRouted(data: Hex) {
  const call = decodeCall(serviceFunctions, data);
  if (call?.functionName !== "multicall" && call?.functionName !== "transferAndMulticall") return undefined;
  const { args, functionName } = call;
  const calls = functionName === "multicall" ? call.args[0] : call.args[2];
  const allowed = calls.map(({ callData, target, value }) => ({
    allowFailure: true,
    callData,
    target,
    value,
  }));
  const abi = serviceFunctions.filter(
    ({ inputs, name }) => name === functionName && inputs.length === args.length,
  );
  const changed: readonly unknown[] = args.map((arg) => (arg === calls ? allowed : arg));
  return { calls, tolerant: encodeFunctionData({ abi, args: changed as never, functionName }) };
}

function explanation(
  parts: Partial<ExplainFailureReturnType> & Pick<Failure, "failReason" | "failedTxHash">,
): ExplainFailureReturnType {
  const {
    callIndex,
    failedTxHash,
    failReason,
    reproduced = parts.revert !== undefined,
    revert,
    txIndex,
  } = parts;
  const fix = parts.fix ?? fixes[revert?.name ?? ""] ?? fixes[failReason ?? ""];
  const where = txIndex === undefined ? `Call ${callIndex} of the router` : `txs[${txIndex}]`;
  const sentences = [
    failReason === undefined ? undefined : `The service says ${failReason}.`,
    revert === undefined
      ? `It was ${parts.reproduced === false ? "made again and does not fail any more" : "not made again"}.`
      : `${callIndex === undefined ? "The call" : where} failed: ${revert.text}.`,
    fix,
  ];
  const text = sentences.filter((sentence) => sentence !== undefined).join(" ");
  return { callIndex, failedTxHash, failReason, fix, reproduced, revert, text, txIndex };
}
