import { type Address, type Hex, keccak256, toHex } from "viem";
import { BaseError } from "../../../src/errors/BaseError.ts";
import type { LocalKey } from "../accounts.ts";
import type { RunningChain } from "../Chain.ts";
import { latestHead, pendingNonce, wasSuccessful } from "../rpc.ts";

/** A set-up transaction without nonce and fees. */
export type SetupCall = { readonly to?: Address; readonly data: Hex; readonly value?: bigint };

/** Gas limit, enough for the largest transaction, which creates and fills the pools. Newer chains allow no more. */
const gasLimit = 12_000_000n;
const gwei = 10n ** 9n;
/** Time limit for mining the set-up, and its polling interval, in milliseconds. */
const minedTimeoutMs = 120_000;
const minedPollMs = 20;
/** Longest part of a node's message that an error repeats, in characters. */
const reasonLength = 300;

/** A set-up transaction that was refused, reverted or not mined in time. */
export class SetupFailedError extends BaseError {
  override readonly name = "SetupFailedError";

  constructor(message: string) {
    super(message, { code: "SETUP_FAILED" });
  }
}

/**
 * Sends transactions from an unlocked account, and mines them into as few blocks as possible: one block each would take
 * longer than the rest of the start. Only for chains in this process without another sender meanwhile.
 */
export async function sendUnlocked(
  chain: RunningChain,
  from: LocalKey,
  calls: readonly SetupCall[],
): Promise<void> {
  const { rpc } = chain;
  await rpc("evm_setAutomine", [false]);
  try {
    const fees = { maxFeePerGas: toHex(10n * gwei), maxPriorityFeePerGas: toHex(gwei) };
    const hashes: Hex[] = [];
    for (const { data, to, value } of calls) {
      const call = { ...fees, data, from: from.account.address, gas: toHex(gasLimit) };
      const rest = { ...(to && { to }), ...(value && { value: toHex(value) }) };
      hashes.push((await rpc("eth_sendTransaction", [{ ...call, ...rest }])) as Hex);
    }
    // Each block takes at least one.
    for (const hash of hashes) {
      while ((await wasSuccessful(rpc, hash)) === undefined) await rpc("evm_mine");
    }
    await assertSuccessful(chain, hashes);
  } finally {
    await rpc("evm_setAutomine", [true]);
  }
}

/** Signs and sends transactions, and waits until the node has mined them, however it mines. */
export async function sendSigned(
  chain: RunningChain,
  from: LocalKey,
  calls: readonly SetupCall[],
): Promise<void> {
  const { definition, rpc } = chain;
  const { baseFeePerGas } = await latestHead(rpc);
  const firstNonce = await pendingNonce(rpc, from.account.address);
  const hashes: Hex[] = [];
  for (const [index, { data, to, value }] of calls.entries()) {
    const raw = await from.account.signTransaction({
      chainId: definition.id,
      data,
      gas: gasLimit,
      // Room for a base fee that doubles while the set-up is mined.
      maxFeePerGas: 2n * baseFeePerGas + 2n * gwei,
      maxPriorityFeePerGas: gwei,
      nonce: firstNonce + index,
      to,
      type: "eip1559",
      value,
    });
    await rpc("eth_sendRawTransaction", [raw]).catch((error: unknown) => {
      const which = `set-up transaction ${index + 1} of ${calls.length}`;
      throw new SetupFailedError(`${definition.name} refuses ${which}: ${reasonOf(error)}`);
    });
    hashes.push(keccak256(raw));
  }
  const end = performance.now() + minedTimeoutMs;
  for (const hash of hashes) {
    while ((await wasSuccessful(rpc, hash)) === undefined) {
      if (performance.now() > end) {
        throw new SetupFailedError(`${definition.name} did not mine ${hash} in ${minedTimeoutMs} ms`);
      }
      await new Promise((resolve) => setTimeout(resolve, minedPollMs));
    }
  }
  await assertSuccessful(chain, hashes);
}

/** The node's own message: the client's one repeats the request with all its bytecode. */
function reasonOf(error: unknown): string {
  const isDetailed = error instanceof Error && "details" in error && typeof error.details === "string";
  const text = isDetailed ? String(error.details) : String(error);
  return (text.split("\n", 1)[0] ?? "").slice(0, reasonLength);
}

async function assertSuccessful({ definition, rpc }: RunningChain, hashes: readonly Hex[]): Promise<void> {
  for (const [index, hash] of hashes.entries()) {
    if ((await wasSuccessful(rpc, hash)) !== true) {
      throw new SetupFailedError(`set-up transaction ${index}, ${hash}, reverted on ${definition.name}`);
    }
  }
}
