import {
  type Abi,
  type Account,
  BaseError,
  type Chain,
  type Client,
  decodeAbiParameters,
  ExecutionRevertedError,
  encodeFunctionData,
  type Hex,
  parseAbiParameters,
  type Transport,
} from "viem";
import { call as ethCall } from "viem/actions";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readList, readText } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import { decodeCall } from "./decodeCall.ts";
import { decodeRevert, type Revert } from "./decodeRevert.ts";
import { serviceFunctions } from "./serviceFunctions.ts";
import { type EncodedCallInput, type ToCallParameters, toCall } from "./toCall.ts";

const results = /* @__PURE__ */ parseAbiParameters(["(bool success, bytes returnData)[]"]);

/** What to do about an error that is known, or a `failReason`. */
const fixes: Readonly<Record<string, string>> = {
  CallFailed: "Simulate the call inside the sweep by itself: the router hides its reason.",
  ERC20InsufficientAllowance:
    "Approve the contract that is called, in a call before it, for the whole amount.",
  ERC20InsufficientBalance: "Spend no more than arrives, or read the live balance by a proxy step.",
  NoRecipientSet: "Name who gets NFTs: the router takes none for nobody.",
  OutputTooLow: "Accept a lower minimum, or ask for a new quote.",
  ReceivedTooLittle: "Accept a lower minimum, or ask for a new quote.",
  SLIPPAGE: "Accept more slippage, or ask for a new quote.",
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE:
    "Approve the contract that is called, in a call before it, for the whole amount.",
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: "Spend no more than arrives, or read the live balance by a proxy step.",
  TargetHasNoCode: "Look at the address and at the chain it is for.",
};

/** Parameters of {@link explainFailure}: the `data` of a request record fits. */
export type ExplainFailureParameters = {
  /** `failedCallData` of the record: without it nothing is replayed. */
  failedCallData?:
    | { from?: string | null | undefined; to?: string | null; data?: string | null; value?: string | null }
    | null
    | undefined;
  failReason?: string | null | undefined;
  /** The block to replay in; the present where it is not given. */
  failedTxBlockNumber?: number | null | undefined;
  /** What the quote was asked with, to name the one that failed. */
  txs?: readonly ToCallParameters[] | undefined;
  abis?: readonly Abi[] | undefined;
};

/** What {@link explainFailure} returns. */
export type ExplainFailureReturnType = {
  readonly failReason: string | undefined;
  /** Whether it still fails when it is made again. */
  readonly reproduced: boolean;
  /** Which of the router's calls failed. */
  readonly callIndex: number | undefined;
  /** Which of `txs` that is; undefined when it is none of them. */
  readonly txIndex: number | undefined;
  readonly revert: Revert | undefined;
  readonly fix: string | undefined;
  /** All of it in sentences. */
  readonly text: string;
};

/** What {@link explainFailure} throws. */
export type ExplainFailureErrorType = InvalidParameterError;

/**
 * Explains why a fill failed: makes the call that the service recorded again, without sending it, finds the one among the
 * router's calls that fails, and decodes its error. The chain may have moved on: then `reproduced` is false.
 *
 * @param client Reads the destination chain; for `failedTxBlockNumber` it must keep old states.
 * @param parameters What the record says, and what was asked for.
 * @returns What failed, why, and what to do.
 * @throws {InvalidParameterError} Naming the part of the record that cannot be read.
 *
 * @example
 * import { createPublicClient, http } from "viem";
 * import { explainFailure } from "waybill";
 *
 * const client = createPublicClient({ transport: http("http://127.0.0.1:8546") });
 * const { text } = await explainFailure(client, { failReason: "SLIPPAGE" });
 */
export async function explainFailure(
  client: Client<Transport, Chain | undefined, Account | undefined>,
  parameters: ExplainFailureParameters,
): Promise<ExplainFailureReturnType> {
  const { abis, failedCallData } = parameters;
  const { failReason, failedTxBlockNumber } = readFailure(parameters);
  const txs = readList(parameters.txs ?? [], "txs", (tx, parameter) =>
    toCall(tx as ToCallParameters, parameter),
  );
  if (failedCallData === null || failedCallData === undefined) return explanation({ failReason });
  const { data, to, value } = toCall(failedCallData as EncodedCallInput, "failedCallData");
  const from = readAddress(failedCallData.from, "failedCallData.from");
  const make = async (calldata: Hex): Promise<{ data: Hex; failed: boolean }> => {
    const block = failedTxBlockNumber === undefined ? {} : { blockNumber: failedTxBlockNumber };
    try {
      const answer = await ethCall(client, { account: from, data: calldata, to, value, ...block });
      return { data: answer.data ?? "0x", failed: false };
    } catch (error) {
      if (!isRevert(error)) throw error;
      return { data: revertData(error), failed: true };
    }
  };
  const whole = await make(data);
  if (!whole.failed) return explanation({ failReason, reproduced: false });
  const routed = readRouted(data);
  const tolerant = routed === undefined ? undefined : await make(routed.tolerant);
  const made = tolerant === undefined || tolerant.failed ? [] : readResults(tolerant.data);
  const callIndex = made.findIndex(({ success }) => !success);
  const failed = routed?.calls[callIndex];
  if (failed === undefined) return explanation({ failReason, revert: decodeRevert(whole.data, abis) });
  const txIndex = txs.findIndex(
    (tx) => `${tx.to}${tx.data}`.toLowerCase() === `${failed.target}${failed.callData}`.toLowerCase(),
  );
  return explanation({
    callIndex,
    failReason,
    revert: decodeRevert(made[callIndex]?.returnData ?? "0x", abis),
    txIndex: txIndex < 0 ? undefined : txIndex,
  });
}

function readFailure({ failReason, failedTxBlockNumber }: ExplainFailureParameters) {
  const block = failedTxBlockNumber ?? undefined;
  if (block !== undefined && (!Number.isSafeInteger(block) || block < 0)) {
    throw new InvalidParameterError({
      parameter: "failedTxBlockNumber",
      reason: `${show(block)} is not the number of a block`,
    });
  }
  return {
    failReason:
      failReason === undefined || failReason === null ? undefined : readText(failReason, "failReason"),
    failedTxBlockNumber: block === undefined ? undefined : BigInt(block),
  };
}

/** What each call returned; nothing when it was no router that answered. */
function readResults(data: Hex) {
  try {
    return decodeAbiParameters(results, data)[0];
  } catch {
    return [];
  }
}

/** The router's calls, and the same calldata with every call allowed to fail, so that each tells how it went. */
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

/** Otherwise the chain was not asked, or does not have the block any more: that explains nothing of the call. */
function isRevert(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk(
      (inner) =>
        inner instanceof ExecutionRevertedError || typeof (inner as { data?: unknown }).data === "string",
    ) !== null
  );
}

function revertData(error: unknown): Hex {
  const found =
    error instanceof BaseError
      ? error.walk((inner) => typeof (inner as { data?: unknown }).data === "string")
      : undefined;
  const data = (found as { data?: unknown } | null | undefined)?.data;
  return typeof data === "string" ? readHex(data, "data") : "0x";
}

function explanation(
  parts: Partial<Omit<ExplainFailureReturnType, "failReason">> & { failReason: string | undefined },
): ExplainFailureReturnType {
  const { callIndex, failReason, reproduced = parts.revert !== undefined, revert, txIndex } = parts;
  const fix = fixes[revert?.name ?? ""] ?? fixes[failReason ?? ""];
  const where = txIndex === undefined ? `Call ${callIndex} of the router` : `txs[${txIndex}]`;
  const sentences = [
    failReason === undefined ? undefined : `The service says ${failReason}.`,
    revert === undefined
      ? `It was ${parts.reproduced === false ? "made again and does not fail any more" : "not made again"}.`
      : `${callIndex === undefined ? "The call" : where} failed: ${revert.text}.`,
    fix,
  ];
  const text = sentences.filter((sentence) => sentence !== undefined).join(" ");
  return { callIndex, failReason, fix, reproduced, revert, text, txIndex };
}
