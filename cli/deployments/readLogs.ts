import {
  type Address,
  BaseError as ChainError,
  type Hex,
  HttpRequestError,
  numberToHex,
  type PublicClient,
  type RpcLog,
  TimeoutError,
} from "viem";
import { ChainReadFailedError } from "../../src/errors/ChainReadFailedError.ts";

/** Blocks that every node answers for at once. */
const smallestRange = 1_000n;

/**
 * Reads an account's logs in a range of blocks. Halves a range that the node refuses, down to 1,000 blocks.
 *
 * @throws ChainReadFailedError
 */
export async function readLogs(
  client: PublicClient,
  {
    address,
    fromBlock,
    toBlock,
    topics,
  }: {
    readonly address: Address;
    readonly fromBlock: bigint;
    readonly toBlock: bigint;
    readonly topics: readonly (Hex | null | readonly Hex[])[];
  },
): Promise<readonly RpcLog[]> {
  if (fromBlock > toBlock) return [];
  const read = async (from: bigint, to: bigint): Promise<readonly RpcLog[]> => {
    try {
      const logs: unknown = await client.request({
        method: "eth_getLogs",
        params: [
          { address, fromBlock: numberToHex(from), toBlock: numberToHex(to), topics: topics as Hex[] },
        ],
      });
      if (!Array.isArray(logs)) throw new TypeError("The node's logs are no list.");
      return logs;
    } catch (cause) {
      const operation = `reading logs of ${address} in blocks ${from} to ${to}`;
      const failed = new ChainReadFailedError({ cause, operation });
      if (isUnanswered(cause) || to - from < smallestRange) throw failed;
      const middle = (from + to) / 2n;
      return [...(await read(from, middle)), ...(await read(middle + 1n, to))];
    }
  };
  return read(fromBlock, toBlock);
}

/** Whether there was no answer at all. Providers refuse ranges by many codes, and by HTTP statuses. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof ChainError)) return true;
  const found = error.walk((inner) => inner instanceof HttpRequestError || inner instanceof TimeoutError);
  return found !== null && (!(found instanceof HttpRequestError) || found.status === undefined);
}
