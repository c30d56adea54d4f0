import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmulatorInfo, startChains } from "../../../emulator/index.ts";
import { startReceiver } from "../../unit/emulator/webhooks/support/receiver.ts";
import { openBooks } from "../conservation/openBooks.ts";
import { openOtherBooks } from "../conservation/otherBooks.ts";
import { testChain } from "../emulatorFixture.ts";
import type { OwnPostgresServer } from "../processes/postgresServer.ts";
import { takeAuthorizations } from "../quotes/permits.ts";
import { type Draws, drawsOf } from "../seededDraws.ts";
import {
  admin,
  checkAnswers,
  checkBooks,
  checkPayments,
  checkSponsor,
  checkWebhooks,
  settled,
} from "./checks.ts";
import { type Launched, launcher } from "./launcher.ts";
import { type Load, startLoad } from "./load.ts";
import { followStream } from "./streamFollower.ts";
import { troubleOf } from "./webhookTrouble.ts";

export type RunKillsParameters = {
  readonly kills: number;
  readonly database: string;
  readonly seed: string;
  /** Number of processes that share the database. @default 1 */
  readonly replicas?: number | undefined;
  /** Block interval in milliseconds. If omitted, each transaction is mined at once. */
  readonly blockMs?: number | undefined;
  /** The server of the database, to be restarted and to cut connections between kills. */
  readonly server?: OwnPostgresServer | undefined;
  readonly progress?: ((line: string) => void) | undefined;
};

/** Counts of the survived events. */
export type KillReport = {
  readonly payments: number;
  readonly kinds: number;
  readonly deposits: number;
  readonly webhooks: number;
  readonly outages: number;
  readonly connections: number;
};

/** Maximum payments before a kill, and its further delay in milliseconds. */
const mostPaid = 6;
const longestRun = 250;
/** Wait of a kill for its payments; then one is enough. Lives shorter than the work after a start would starve payments. */
const usualWait = 5_000;
/** Maximum wait of a kill for one payment. */
const longestWait = 30_000;
/** Maximum delay of a kill before the process is ready. */
const longestStart = 1_500;
const longestAway = 1_500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Kills emulators repeatedly during payments, on chains that outlive them, and restarts each over the same database.
 * In the end the chains have one fill or one refund for each deposit, and balanced books. HTTP and stream report the
 * end of each request. Each status was posted at least once, in order. No process ended except by a kill.
 */
export async function runKills(parameters: RunKillsParameters): Promise<KillReport> {
  const { blockMs, database, kills, progress = () => {}, replicas: count = 1, seed, server } = parameters;
  const draws = drawsOf(seed);
  const folder = await mkdtemp(join(tmpdir(), "waybill-kills-"));
  const { chains, close } = await startChains({ chainPorts: [0, 0] });
  const receiver = await startReceiver(troubleOf(drawsOf(`${seed} webhooks`)));
  const where = chains.map(({ definition: { id }, rpcUrl }) => ({ id, rpcUrl }));
  const replicas: Replica[] = [];
  let stream: ReturnType<typeof followStream> | undefined;
  try {
    const infos: EmulatorInfo[] = [];
    for (let index = 0; index < count; index++) {
      const own = join(folder, String(index));
      await mkdir(own);
      const launch = launcher(where, database, own);
      const replica = { launch, running: launch() };
      replicas.push(replica);
      // The first process deploys the service on the chains.
      infos.push((await replica.running.ready).info);
    }
    const [info, ...others] = infos;
    if (info === undefined) throw new Error("no replica was started");
    const endpoint = { body: JSON.stringify({ url: receiver.url }), method: "PUT" };
    await admin(info, `/keys/${info.apiKeys[0]?.id}/webhook`, endpoint);
    const [alpha, beta] = info.chains.map(testChain);
    if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
    // Signatures are authorizations of ERC-3009 on one chain and permits of ERC-2612 on the other.
    await takeAuthorizations(beta);
    const books = await Promise.all([alpha, beta].map((chain) => openBooks(chain, info.solver, [])));
    const ledgers = await openOtherBooks(info);
    for (const { rpc } of blockMs === undefined ? [] : chains) {
      await rpc("evm_setAutomine", [false]);
      await rpc("evm_setIntervalMining", [blockMs]);
    }
    stream = followStream(infos, drawsOf(`${seed} stream`));
    const { follow } = stream;
    const load = await startLoad([info, ...others], seed, ({ requestId }) => requestId && follow(requestId));
    let outages = 0;
    for (let kill = 1; kill <= kills; kill++) {
      if (server !== undefined && draws.chance(0.2)) {
        await breakDatabase(server, database, replicas, draws);
        outages++;
      }
      await killOne(draws.pick(replicas), load, draws);
      progress(`${kill} of ${kills} kills, ${outages} outages, ${load.payments.length} payments`);
    }
    for (const { running } of replicas) await running.ready;
    const payments = await load.stop();
    const requests = await settled(info, payments);
    await checkPayments(info, payments, requests);
    await checkAnswers(infos, payments);
    await checkSponsor(info, payments);
    await checkBooks(books, payments, ledgers);
    const connections = await stream.check(requests);
    const webhooks = await checkWebhooks(info, receiver, payments, requests);
    // Fails for a replica that exited without a kill.
    for (const { running } of replicas) await running.kill();
    const deposits = payments.reduce((sum, { plan: { fills, refunds } }) => sum + fills + refunds, 0);
    const byKind = Map.groupBy(payments, ({ kind }) => kind);
    const counts = [...byKind].map(([kind, { length }]) => `${length} ${kind}`).sort();
    progress(`payments: ${counts.join("; ")}`);
    const kinds = byKind.size;
    return { connections, deposits, kinds, outages, payments: payments.length, webhooks };
  } finally {
    stream?.stop();
    await Promise.allSettled(replicas.map(({ running }) => running.kill()));
    await receiver.stop();
    await Promise.all(chains.map(({ rpc }) => rpc("evm_setIntervalMining", [0])));
    await close();
    await rm(folder, { force: true, recursive: true });
  }
}

type Replica = { readonly launch: () => Launched; running: Launched };

async function killOne(replica: Replica, load: Load, draws: Draws): Promise<void> {
  // Sometimes the process is not ready yet.
  if (draws.chance(0.15)) await pause(draws.whole(100, longestStart));
  else {
    await replica.running.ready;
    await paidFor(load, draws.whole(1, mostPaid));
    await pause(draws.whole(0, longestRun));
  }
  await replica.running.kill();
  replica.running = replica.launch();
}

/** Restarts the server, or cuts all connections. A replica cannot start without a database: one is killed meanwhile at most. */
async function breakDatabase(
  server: OwnPostgresServer,
  database: string,
  replicas: readonly Replica[],
  draws: Draws,
): Promise<void> {
  for (const { running } of replicas) await running.ready;
  if (draws.chance(0.5)) return server.cutConnections(database);
  await server.halt();
  await pause(draws.whole(0, longestAway));
  const victim = draws.chance(0.3) ? draws.pick(replicas) : undefined;
  await victim?.running.kill();
  await server.resume();
  if (victim !== undefined) victim.running = victim.launch();
}

async function paidFor({ ended, payments }: Load, more: number): Promise<void> {
  const begin = performance.now();
  const before = payments.length;
  const isEnough = () => {
    const waited = performance.now() - begin;
    const paid = payments.length - before;
    return paid >= more || (waited > usualWait && paid > 0) || waited > longestWait;
  };
  while (!isEnough()) await Promise.race([ended, pause(10)]);
}
