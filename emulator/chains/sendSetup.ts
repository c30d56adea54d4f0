import { type Hex, keccak256, toHex } from "viem";
import type { LocalKey } from "./accounts.ts";
import type { RunningChain } from "./Chain.ts";
import { latestHead, pendingNonce, wasSuccessful } from "./rpc.ts";
import type { SetupCall } from "./setupCalls.ts";

/** Enough for each of them: the largest creates and fills the pools. A transaction may not take more on newer chains. */
const gasLimit = 12_000_000n;
const gwei = 10n ** 9n;
/** How long a node may take to mine the set-up, and how often it is asked, in milliseconds. */
const minedTimeoutMs = 120_000;
const minedPollMs = 20;

/** A set-up transaction that did not do what it should. */
export class SetupFailedError extends Error {
  override readonly name = "SetupFailedError";
}

/**
 * Sends transactions from an account that the chain has unlocked, and mines them into as few blocks as they fit: mining
 * each by itself would take longer than the rest of the start.
 *
 * For chains of ours alone: nobody else may send meanwhile.
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
  let nonce = await pendingNonce(rpc, from.account.address);
  const hashes: Hex[] = [];
  for (const { data, to, value } of calls) {
    const raw = await from.account.signTransaction({
      chainId: definition.id,
      data,
      gas: gasLimit,
      // Room for a base fee that doubles while the set-up is mined.
      maxFeePerGas: 2n * baseFeePerGas + 2n * gwei,
      maxPriorityFeePerGas: gwei,
      nonce: nonce++,
      to,
      type: "eip1559",
      value,
    });
    await rpc("eth_sendRawTransaction", [raw]);
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

async function assertSuccessful({ definition, rpc }: RunningChain, hashes: readonly Hex[]): Promise<void> {
  for (const [index, hash] of hashes.entries()) {
    if ((await wasSuccessful(rpc, hash)) !== true) {
      throw new SetupFailedError(`set-up transaction ${index}, ${hash}, reverted on ${definition.name}`);
    }
  }
}
