import type { Hex } from "viem";
import { drawsOf } from "../seededDraws.ts";
import { addTally, countIn, emptyTally, type Tally } from "../tally.ts";
import { drawScript } from "./drawScript.ts";
import { type Case, judge } from "./judge.ts";
import { bundleLibrary } from "./libraryProcess.ts";
import { openNetwork } from "./nodes.ts";
import { openPurse, readSent } from "./purse.ts";
import type { Mutation } from "./runOnce.ts";
import { runVictim } from "./runVictim.ts";
import type { Script } from "./Script.ts";
import { openScene, type Scene } from "./scene.ts";

/** Chains and quotes with which runs are repeated. */
export type NodeLab = {
  readonly payments: readonly string[];
  /** Runs `count` scripts by a seed. */
  run(seed: string, count: number, options?: { first?: number; mutation?: Mutation }): Promise<Tally>;
  /** Runs a script. */
  play(name: string, script: Script, mutation?: Mutation): Promise<Tally>;
  close(): Promise<void>;
};

/** Opens chains and quotes once; every run starts from their snapshot. */
export async function openNodeLab(): Promise<NodeLab> {
  const [scene, start] = await Promise.all([openScene(), bundleLibrary()]);
  const { origin, other, payments } = scene;
  const chains = [origin, other];
  const play: NodeLab["play"] = async (name, script, mutation = {}) => {
    const payment = payments[script.payment];
    if (payment === undefined) throw new Error("there are no payments");
    const snapshots = await Promise.all(chains.map(({ rpc }) => rpc("evm_snapshot", [])));
    const network = openNetwork(scene, script, (raw) => signAnew(scene, mutation, raw));
    const purse = await openPurse(scene, payment);
    const log = await runVictim({ mutation, network, payment, purse, scene, script, start });
    const ended = { log, network, payment, purse, script };
    const { faults, isPaid } = await judge(scene, ended);
    await Promise.all(chains.map(({ rpc }, place) => rpc("evm_revert", [snapshots[place]])));
    const tally = emptyTally();
    countIn(tally, "runs");
    if (isPaid) countIn(tally, "paid");
    for (const end of log.ends) countIn(tally, `end ${end}`);
    for (const [name, count] of Object.entries(network.told)) countIn(tally, `told ${name}`, count);
    if (faults.length > 0) tally.failures.push(describe(name, faults, ended));
    return tally;
  };
  return {
    close: () => scene.close(),
    payments: payments.map(({ name }) => name),
    play,
    run: async (seed, count, { first = 0, mutation } = {}) => {
      const report = emptyTally();
      for (let index = first; index < first + count; index++) {
        const name = `${seed} ${index}`;
        const script = drawScript(drawsOf(name), { otherId: other.id, payments: payments.length });
        addTally(report, await play(`WAYBILL_SEED="${seed}", run ${index}`, script, mutation));
      }
      return report;
    },
  };
}

/** What leaves the process in place of signed bytes. */
async function signAnew({ victim }: Scene, { sign }: Mutation, raw: Hex): Promise<Hex> {
  if (sign === undefined) return raw;
  const { r: _r, s: _s, v: _v, yParity: _y, ...fields } = readSent(raw) as Record<string, unknown>;
  return victim.signTransaction(sign(fields) as never);
}

function describe(name: string, faults: readonly string[], { network, payment, script }: Case): string {
  const lines = [name, ...faults, payment.name, JSON.stringify(script), ...network.trace];
  return lines.join("\n  ");
}
