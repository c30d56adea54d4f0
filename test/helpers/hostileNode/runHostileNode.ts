import { type Hex, hexToBigInt, toHex } from "viem";
import { drawsOf } from "../seededDraws.ts";
import { drawScript } from "./drawScript.ts";
import { bundleLibrary } from "./libraryProcess.ts";
import { ask, type Network, openNetwork } from "./nodes.ts";
import { isAlive, openPurse, type Purse, readSent } from "./purse.ts";
import { addReport, emptyReport, type HostileReport } from "./Report.ts";
import { isCall, type Mutation, runVictim, type VictimLog } from "./runVictim.ts";
import type { Script } from "./Script.ts";
import { openScene, type Payment, type Scene } from "./scene.ts";

/** Largest fee of a transaction where the app names no maximum, in wei. */
const usualFee = 100_000_000_000_000_000n;

/** A scene in which runs are repeated. */
export type HostileLab = {
  /** Runs `count` scripts by a seed. */
  run(seed: string, count: number, options?: { first?: number; mutation?: Mutation }): Promise<HostileReport>;
  close(): Promise<void>;
};

/** Opens chains and quotes once; every run starts from their snapshot. */
export async function openLab(): Promise<HostileLab> {
  const [scene, start] = await Promise.all([openScene(), bundleLibrary()]);
  return {
    close: () => scene.close(),
    run: async (seed, count, { first = 0, mutation = {} } = {}) => {
      const report = emptyReport();
      for (let index = first; index < first + count; index++) {
        const own = `${seed} ${index}`;
        const script = drawScript(drawsOf(own), { otherId: scene.other.id, payments: scene.payments.length });
        const payment = scene.payments[script.payment];
        if (payment === undefined) throw new Error("there are no payments");
        const chains = [scene.origin, scene.other];
        const snapshots = await Promise.all(chains.map(({ rpc }) => rpc("evm_snapshot", [])));
        const network = openNetwork(scene, script, async (raw) => {
          if (mutation.sign === undefined) return raw;
          const { r: _r, s: _s, v: _v, yParity: _y, ...fields } = readSent(raw) as Record<string, unknown>;
          return scene.victim.signTransaction(mutation.sign(fields) as never);
        });
        const purse = await openPurse(scene, payment);
        const log = await runVictim({ mutation, network, payment, purse, scene, script, start });
        const { faults, isPaid } = await judge(scene, { log, network, payment, purse, script });
        await Promise.all(chains.map(({ rpc }, place) => rpc("evm_revert", [snapshots[place]])));
        addReport(report, {
          ends: Object.fromEntries(
            log.ends.map((end) => [end, log.ends.filter((each) => each === end).length]),
          ),
          failures: faults.length === 0 ? [] : [describe(own, { faults, network, payment, script })],
          paid: isPaid ? 1 : 0,
          runs: 1,
          told: network.told,
        });
      }
      return report;
    },
  };
}

type Case = {
  readonly log: VictimLog;
  readonly network: Network;
  readonly payment: Payment;
  readonly purse: Purse;
  readonly script: Script;
};

/** Judges a run by the chains, after the attacker has broadcast everything that it ever saw. */
async function judge(scene: Scene, { log, network, payment, purse, script }: Case) {
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

function describe(
  seed: string,
  { faults, network, payment, script }: Omit<Case, "log" | "purse"> & { faults: readonly string[] },
) {
  const lines = [`WAYBILL_SEED="${seed}"`, ...faults, payment.name, JSON.stringify(script), ...network.trace];
  return lines.join("\n  ");
}
