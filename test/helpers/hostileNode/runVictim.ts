import { createNonceManager } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { jsonRpc } from "viem/nonce";
import type { ExecutionState } from "../../../src/execute/index.ts";
import { openWallet } from "./openWallet.ts";
import { runOnce, type VictimLog, type VictimParameters } from "./runOnce.ts";
import type { Attempt } from "./Script.ts";

/** Runs `execute` as often as the script says, as an app does after a failure. */
export async function runVictim(parameters: VictimParameters): Promise<VictimLog> {
  const { mutation, network, script, start } = parameters;
  const log: VictimLog = { calls: new Map(), ends: [], faults: [] };
  /** States in the order in which the app saved them. */
  const saved: ExecutionState[] = [];
  const open = () => ({ account: accountOf(parameters), library: start() });
  let victim = open();
  /** Index of the state that the process started with; the app rolls back to it at most. */
  let oldest = -1;
  for (const attempt of script.attempts) {
    if (attempt.isFresh || mutation.isForgetful === true) victim = open();
    if (attempt.isFresh) oldest = saved.length - 1;
    if (attempt.overtaken !== undefined) await overtake(parameters, attempt.overtaken);
    const states = [saved[indexOf(attempt, oldest, saved.length - 1)]];
    if (attempt.twice !== undefined) states.push(attempt.twice === "same state" ? states[0] : saved[oldest]);
    network.note(
      `attempt ${JSON.stringify(attempt)} with ${JSON.stringify(states.map((each) => each?.items))}`,
    );
    const wallet = await openWallet(parameters.scene, network, script, {
      ...attempt,
      account: victim.account,
    });
    const first = network.sent.length;
    const run = (state: ExecutionState | undefined) =>
      runOnce({ ...parameters, attempt, first, library: victim.library, log, saved, state, wallet });
    const ends = await Promise.all(states.map(run));
    wallet.close();
    log.ends.push(...ends);
  }
  return log;
}

/** The account of a process, whose nonce manager has the process's life. */
function accountOf({ scene, script }: VictimParameters): PrivateKeyAccount {
  if (!script.hasNonceManager) return scene.victim;
  return privateKeyToAccount(scene.key, { nonceManager: createNonceManager({ source: jsonRpc() }) });
}

/** Another app sends a transaction of the account, with the next nonce. */
async function overtake(
  { network, scene: { origin, victim } }: VictimParameters,
  end: "kept" | "mined",
): Promise<void> {
  const nonce = Number(await origin.rpc("eth_getTransactionCount", [victim.address, "latest"]));
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
  const call = {
    ...fees,
    chainId: origin.id,
    gas: 21_000n,
    nonce,
    to: victim.address,
    type: "eip1559",
  } as const;
  await network.sendForeign(await victim.signTransaction(call), end);
}

function indexOf({ state }: Attempt, oldest: number, newest: number): number {
  if (state === "newest") return newest;
  return state === "none" ? oldest : oldest + Math.floor((newest - oldest) / 2);
}
