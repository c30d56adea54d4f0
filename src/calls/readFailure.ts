import { type Hex, isHash } from "viem";
import { getTransaction } from "viem/actions";
import { ChainReadFailedError } from "../errors/ChainReadFailedError.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertFunction, type Fields, readList, readObject, readText } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import type { ChainClient } from "./callChain.ts";

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
export type Failure = {
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
export async function readFailure(client: ChainClient, parameters: FailureSource): Promise<Failure> {
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
