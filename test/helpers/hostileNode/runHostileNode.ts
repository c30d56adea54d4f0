import { type Hex, hexToBigInt, toHex } from "viem";
import { drawsOf } from "../seededDraws.ts";
import { drawScript } from "./drawScript.ts";
import { bundleLibrary } from "./libraryProcess.ts";
import { ask, type Network, openNetwork } from "./nodes.ts";
import { isAlive, openPurse, type Purse, readSent } from "./purse.ts";
import { isCall, type Mutation, runVictim, type VictimLog } from "./runVictim.ts";
import type { Script } from "./Script.ts";
import { openScene, type Payment, type Scene } from "./scene.ts";

/** Largest fee of a transaction where the app names no maximum, in wei. */
const usualFee = 100_000_000_000_000_000n;

/** Outcomes of runs. */
export type HostileReport = {
  runs: number;
  /** Runs whose payment was made. */
  paid: number;
  /** Ends of the calls of `execute`. */
  ends: Record<string, number>;
  /** Failed runs: seed, broken promises, script and trace. */
  failures: string[];
};

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
        const network = openNetwork(scene, script);
        const purse = await openPurse(scene, payment);
        const log = await runVictim({ mutation, network, payment, purse, scene, script, start });
        const { faults, isPaid } = await judge(scene, { log, network, payment, purse, script });
        await Promise.all(chains.map(({ rpc }, place) => rpc("evm_revert", [snapshots[place]])));
        report.runs++;
        if (isPaid) report.paid++;
        for (const end of log.ends) report.ends[end] = (report.ends[end] ?? 0) + 1;
        if (faults.length > 0) report.failures.push(describe(own, { faults, network, payment, script }));
      }
      return report;
    },
  };
}

/** Creates an empty report. */
export function emptyReport(): HostileReport {
  return { ends: {}, failures: [], paid: 0, runs: 0 };
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
