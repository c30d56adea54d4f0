import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChains } from "../../../emulator/index.ts";
import { startReceiver } from "../../unit/emulator/webhooks/support/receiver.ts";
import { drawsOf } from "../seededDraws.ts";
import { admin, checkPayments, checkWebhooks, settled } from "./checks.ts";
import { type Launched, launcher } from "./launcher.ts";
import { type Load, startLoad } from "./load.ts";

export type RunKillsParameters = {
  readonly kills: number;
  readonly database: string;
  readonly seed: string;
  /** Told how far it is. */
  readonly progress?: ((line: string) => void) | undefined;
};

/** What was survived. */
export type KillReport = { readonly payments: number; readonly deposits: number; readonly webhooks: number };

/** It is killed once so many payments at most were made to it, and a while later; in milliseconds. */
const mostPaid = 6;
const longestRun = 250;
/** Nobody waits longer for payments: they may all be those that wait for an answer. */
const longestWait = 5_000;
/** The same for one that is not ready yet. */
const longestStart = 1_500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Kills an emulator again and again while it is being paid, on chains that outlive it, and starts it anew over the same
 * database. In the end each deposit was filled once or given back once, as the chains have it; each request is over; and
 * each status was posted at least once, in order.
 */
export async function runKills({
  database,
  kills,
  progress = () => {},
  seed,
}: RunKillsParameters): Promise<KillReport> {
  const draws = drawsOf(seed);
  const folder = await mkdtemp(join(tmpdir(), "waybill-kills-"));
  const { chains, close } = await startChains({ chainPorts: [0, 0] });
  const receiver = await startReceiver(async (response) => {
    await pause(draws.whole(0, 20));
    response.writeHead(draws.chance(0.02) ? 503 : 200).end();
  });
  const launch = launcher(
    chains.map(({ definition: { id }, rpcUrl }) => ({ id, rpcUrl })),
    database,
    folder,
  );
  let running: Launched | undefined;
  try {
    // The first one puts the service on the chains, and is told where to post.
    running = launch();
    const { info } = await running.ready;
    const endpoint = { body: JSON.stringify({ url: receiver.url }), method: "PUT" };
    await admin(info, `/keys/${info.apiKeys[0]?.id}/webhook`, endpoint);
    const load = startLoad(info, seed);
    for (let kill = 1; kill <= kills; kill++) {
      // Now and then it is not even ready.
      if (draws.chance(0.15)) await pause(draws.whole(100, longestStart));
      else {
        await running.ready;
        await paidFor(load, draws.whole(1, mostPaid));
        await pause(draws.whole(0, longestRun));
      }
      await running.kill();
      running = launch();
      progress(`${kill} of ${kills} kills, ${load.payments.length} payments`);
    }
    await running.ready;
    const payments = await load.stop();
    const requests = await settled(info, payments);
    await checkPayments(info, payments, requests);
    const webhooks = await checkWebhooks(info, receiver, payments, requests);
    const deposits = payments.reduce((sum, { fills, refunds }) => sum + fills + refunds, 0);
    return { deposits, payments: payments.length, webhooks };
  } finally {
    await running?.kill();
    await receiver.stop();
    await close();
    await rm(folder, { force: true, recursive: true });
  }
}

async function paidFor({ payments }: Load, more: number): Promise<void> {
  const enough = payments.length + more;
  const end = performance.now() + longestWait;
  while (payments.length < enough && performance.now() < end) await pause(10);
}
