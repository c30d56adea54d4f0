import { type Abi, type Hex, isHash } from "viem";
import { getTransaction } from "viem/actions";
import { ChainReadFailedError } from "../errors/ChainReadFailedError.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { assertFunction, type Fields, readList, readObject, readText } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import { type ChainClient, callChain } from "./callChain.ts";
import { decodeCall } from "./decodeCall.ts";
import { decodeResults } from "./decodeCanonical.ts";
import { decodeRevert, type Revert } from "./decodeRevert.ts";
import { fixes } from "./failureFixes.ts";
import { encodeOverload, serviceFunctions } from "./serviceFunctions.ts";
import { type EncodedCallInput, type ToCallParameters, toCall } from "./toCall.ts";

const approveSelector = "0x095ea7b3";
const zeroFirst = "Set the allowance to zero first: some tokens refuse to change one that is not.";

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
  const allowed = calls.map((each) => ({ ...each, allowFailure: true }));
  const changed = args.map((arg) => (arg === calls ? allowed : arg));
  return { calls, tolerant: encodeOverload(serviceFunctions, functionName, changed) };
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

/** Reads requests by id, as `getRequests` of `waybill/client` does. */
export type GetFailedRequests = (query: { id: string }) => Promise<{
  readonly requests: readonly { readonly id: string; readonly data?: object | null | undefined }[];
}>;

/** Source of a failure: fields of a record, or a request whose record has them. */
export type FailureSource = {
  /** `failedCallData` of the record. The replay needs it or `failedTxHash`. */
  failedCallData?:
    | {
        from?: string | null | undefined;
        to?: string | null | undefined;
        data?: string | null | undefined;
        value?: string | null | undefined;
      }
    | null
    | undefined;
  failReason?: string | null | undefined;
  /** Block to replay in. Default: the latest. */
  failedTxBlockNumber?: number | null | undefined;
  /** The reverted transaction, which is replayed when there is no `failedCallData`. */
  failedTxHash?: string | null | undefined;
  /** Reads the record of `requestId`: `(query) => getRequests(client, query)`, of `waybill/client`. */
  getRequests?: GetFailedRequests | undefined;
  /** 32 bytes in hexadecimal. Its record replaces the fields above. */
  requestId?: string | undefined;
};

/** A failed fill, from its record. */
type Failure = {
  /** The call to replay. */
  failedCallData: Fields | undefined;
  failedTxBlockNumber: bigint | undefined;
  failedTxHash: Hex | undefined;
  failReason: string | undefined;
};

/**
 * Reads a failed fill from the given fields, or from the record of `requestId`. Without `failedCallData`, reads the
 * transaction of `failedTxHash` from the chain.
 *
 * @throws {InvalidParameterError} For an unreadable part, by name.
 * @throws {ChainReadFailedError} When the chain does not return the transaction.
 */
async function readFailure(client: ChainClient, parameters: FailureSource): Promise<Failure> {
  const record = parameters.requestId === undefined ? parameters : await readRecord(parameters);
  const failReason = given(record.failReason);
  const failure = {
    failedCallData: given(record.failedCallData) as Fields | undefined,
    failedTxBlockNumber: readBlock(given(record.failedTxBlockNumber)),
    failedTxHash: readHash(given(record.failedTxHash)),
    failReason: failReason === undefined ? undefined : readText(failReason, "failReason"),
  };
  if (failure.failedCallData !== undefined || failure.failedTxHash === undefined) return failure;
  const { blockNumber, from, input, to, value } = await readTransaction(client, failure.failedTxHash);
  return {
    ...failure,
    failedCallData: { data: input, from, to, value: value.toString() },
    failedTxBlockNumber: failure.failedTxBlockNumber ?? blockNumber ?? undefined,
  };
}

async function readRecord({ getRequests, requestId }: FailureSource): Promise<Fields> {
  const id = readText(requestId, "requestId");
  if (!isHash(id)) throw new InvalidParameterError({ parameter: "requestId", reason: "not 32 bytes" });
  if (getRequests === undefined) {
    throw new InvalidParameterError({ parameter: "getRequests", reason: "a `requestId` needs it" });
  }
  assertFunction("getRequests", getRequests);
  const answer = readObject(await getRequests({ id }), "getRequests");
  const records = readList(answer.requests, "getRequests", readObject);
  const record = records.find((each) => String(each.id).toLowerCase() === id.toLowerCase());
  if (record === undefined) {
    throw new InvalidParameterError({ parameter: "requestId", reason: "the service has no such request" });
  }
  return readObject(record.data ?? {}, "getRequests");
}

function given(value: unknown): unknown {
  return value ?? undefined;
}

function readBlock(block: unknown): bigint | undefined {
  if (block === undefined) return undefined;
  if (typeof block === "number" && Number.isSafeInteger(block) && block >= 0) return BigInt(block);
  const reason = `${show(block)} is not the number of a block`;
  throw new InvalidParameterError({ parameter: "failedTxBlockNumber", reason });
}

/** Undefined for a value that is no EVM transaction hash. */
function readHash(hash: unknown): Hex | undefined {
  return typeof hash === "string" && isHash(hash) ? hash : undefined;
}

async function readTransaction(client: ChainClient, hash: Hex) {
  try {
    return await getTransaction(client, { hash });
  } catch (cause) {
    throw new ChainReadFailedError({ cause, operation: `reading the failed transaction ${hash}` });
  }
}
