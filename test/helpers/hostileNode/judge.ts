import { type Hex, hexToBigInt, toHex } from "viem";
import { ask, type Network } from "./nodes.ts";
import { isAlive, isCall, type Purse, readSent } from "./purse.ts";
import type { VictimLog } from "./runOnce.ts";
import type { Script } from "./Script.ts";
import type { Payment, Scene } from "./scene.ts";

/** Largest fee of a transaction where the app names no maximum, in wei. */
const usualFee = 100_000_000_000_000_000n;

/** A run that has ended. */
export type Case = {
  readonly log: VictimLog;
  readonly network: Network;
  readonly payment: Payment;
  readonly purse: Purse;
  readonly script: Script;
};

/** Judges a run by the chains, after the attacker has broadcast everything that it ever saw. */
export async function judge(
  scene: Scene,
  { log, network, payment, purse, script }: Case,
): Promise<{ faults: readonly string[]; isPaid: boolean }> {
  const { sent } = network;
  const faults = [...log.faults];
  const calls = [...log.calls.values()].flat();
  const maximumFee = script.maximumFee === undefined ? usualFee : BigInt(script.maximumFee);
  for (const each of sent) {
    if (each.isForeign === true) continue;
    const { chainId, gas = 0n, gasPrice = 0n, maxFeePerGas = gasPrice } = readSent(each.raw);
    if (chainId !== scene.origin.id) faults.push(`signed for chain ${chainId}`);
    if (gas * maxFeePerGas > maximumFee)
      faults.push(`signed a fee of ${gas * maxFeePerGas} wei, at most ${maximumFee}`);
    if (!calls.some((call) => isCall(each, call))) faults.push(`signed what no step has: ${each.hash}`);
  }
  await broadcastAll(scene, network);
  const spent = await purse.spent(sent);
  if (spent > payment.amount) faults.push(`${spent} left the victim, at most ${payment.amount}`);
  if (await purse.hasMovedElsewhere(sent)) faults.push("the victim paid on the other chain");
  return { faults: [...new Set(faults)], isPaid: spent >= payment.amount };
}

/** Sends all signed bytes to both chains. Other transactions of the victim may have filled the gaps between nonces. */
async function broadcastAll(scene: Scene, { sent }: Network): Promise<void> {
  const nonceOf = (raw: Hex) => readSent(raw).nonce ?? 0;
  const sorted = [...sent].sort((a, b) => nonceOf(a.raw) - nonceOf(b.raw));
  const { address } = scene.victim;
  for (const chain of [scene.origin, scene.other]) {
    for (const each of sorted) {
      if (chain === scene.origin && !(await isAlive(scene, each))) continue;
      const count = hexToBigInt((await chain.rpc("eth_getTransactionCount", [address, "latest"])) as Hex);
      const nonce = nonceOf(each.raw);
      if (nonce > count && nonce < 2 ** 50) await ask(chain, "hardhat_setNonce", [address, toHex(nonce)]);
      await ask(chain, "eth_sendRawTransaction", [each.raw]);
    }
  }
}
