import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, isAddress } from "viem";
import { type Control, type EmulatorInfo, startChains } from "../../../emulator/index.ts";
import { createClient } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { type Answer, startReceiver } from "../../unit/emulator/webhooks/support/receiver.ts";
import { startFixture, type TestChain, testChain } from "../emulatorFixture.ts";
import { type MortalRpc, startMortalRpc } from "../network/mortalRpc.ts";
import type { OwnPostgresServer } from "../processes/postgresServer.ts";
import { readOut, spawnEmulator } from "../processes/spawnEmulator.ts";
import { takeAuthorizations } from "../quotes/permits.ts";
import { type Draws, drawsOf } from "../seededDraws.ts";
import { accountsOf, admin } from "./checks.ts";
import { openBooks } from "./openBooks.ts";
import { openOtherBooks } from "./otherBooks.ts";
import type { Ask, Payment } from "./Payment.ts";

/** An emulator in a process of its own, which is killed and started again. */
type Replica = {
  /** The start-up document of the present process. */
  ready: Promise<EmulatorInfo>;
  /** @throws if the process has ended by itself. */
  kill(): Promise<void>;
  /** Starts the process again over the same chains and database, on the same port. */
  start(): void;
};

/** The emulators, their chains and what happens around them. */
type Service = {
  readonly infos: readonly [EmulatorInfo, ...EmulatorInfo[]];
  /** With the nodes that users call. */
  readonly chains: readonly TestChain[];
  /** Of emulators in processes of their own. */
  readonly replicas: readonly Replica[];
  /** Nodes between these and the chains. */
  readonly nodes: readonly MortalRpc[];
  /** Of an emulator inside this process. */
  readonly control?: Control;
  readonly server?: OwnPostgresServer | undefined;
  readonly database?: string;
  /** Errors of the log. */
  readonly errors: readonly string[];
  stop(): Promise<void>;
};

/** A service with users who pay, a sponsor, a receiver of webhooks, and open books. */
export type World = Service & {
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
  /** Calls a replica, chosen by draws, until one answers. */
  ask(draws: Draws): Ask;
  readonly payments: Payment[];
  /** Closes the books of all ledgers: the sum of all gains equals the fees of the chains. Returns violations. */
  closeBooks(payments: readonly Payment[]): Promise<readonly string[]>;
};

/** Options of {@link openProcesses}. */
export type ProcessOptions = {
  readonly database: string;
  /** Number of processes that share the database. @default 1 */
  readonly replicas?: number;
  /** Block interval in milliseconds. If omitted, each transaction is mined at once. */
  readonly blockMs?: number;
  /** The server of the database, to be restarted and to cut connections. */
  readonly server?: OwnPostgresServer;
  /** Whether the emulator reaches the chains by nodes that can be troubled. @default false */
  readonly hasNodes?: boolean;
};

/** Time limit of a start on a busy machine, in milliseconds. */
const startMs = 60_000;
/** Maximum time for which the service leaves all calls of one payer unanswered. */
const patienceMs = 120_000;
const callMs = 3_000;
/** Millionths of a dollar, more than all payments of a campaign. */
const sponsorFunds = 10n ** 15n;
const longestAnswerMs = 20;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens a world with an emulator of all ledgers inside this process. */
export async function openInside(): Promise<World> {
  const errors: string[] = [];
  const { alpha, beta, emulator, stop } = await startFixture({
    log: ({ cause, level, message }) => {
      const text = `${message}: ${String(cause)}`;
      // A node that mines at once keeps no transaction whose predecessor a reorg removed: the solver sends it again.
      if (level === "error" && !text.includes("Nonce too high")) errors.push(text);
    },
    perps: true,
    reorgs: true,
    svm: true,
  });
  const { control, info } = emulator;
  const service = {
    chains: [alpha, beta],
    control,
    errors,
    infos: [info],
    nodes: [],
    replicas: [],
    stop,
  } as const;
  return openWorld(service);
}

/** Opens a world with emulators of all ledgers in processes of their own, over chains that outlive them. */
export async function openProcesses(options: ProcessOptions): Promise<World> {
  const { blockMs, database, hasNodes = false, replicas: count = 1, server } = options;
  const folder = await mkdtemp(join(tmpdir(), "waybill-model-"));
  const { chains, close } = await startChains({ chainPorts: [0, 0] });
  const nodes = hasNodes ? await Promise.all(chains.map(({ rpcUrl }) => startMortalRpc({ rpcUrl }))) : [];
  const replicas: Replica[] = [];
  const stop = async () => {
    await Promise.allSettled(replicas.map(({ kill }) => kill()));
    for (const node of nodes) node.stop();
    await Promise.all(chains.map(({ rpc }) => rpc("evm_setIntervalMining", [0])));
    await close();
    await rm(folder, { force: true, recursive: true });
  };
  try {
    const where = chains.flatMap(({ definition, rpcUrl }, index) => [
      "--chain",
      `${definition.id}=${nodes[index]?.url ?? rpcUrl}`,
    ]);
    const infos: EmulatorInfo[] = [];
    for (let index = 0; index < count; index++) {
      const own = join(folder, String(index));
      await mkdir(own);
      const replica = startReplica(["--db", database, "--quiet", "--perps", "--svm", ...where], own);
      replicas.push(replica);
      // The first process deploys the service on the chains.
      infos.push(await replica.ready);
    }
    const [info, ...others] = infos as [EmulatorInfo, ...EmulatorInfo[]];
    const own = info.chains.map((chain, index) =>
      testChain({ ...chain, rpcUrl: chains[index]?.rpcUrl ?? "" }),
    );
    const all = { chains: own, database, errors: [], nodes, replicas, server, stop } as const;
    const world = await openWorld({ ...all, infos: [info, ...others] });
    for (const { rpc } of blockMs === undefined ? [] : chains) {
      await rpc("evm_setAutomine", [false]);
      await rpc("evm_setIntervalMining", [blockMs]);
    }
    return world;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a process, whose start-up documents are in a folder. */
function startReplica(flags: readonly string[], folder: string): Replica {
  let port = 0;
  let count = 0;
  const launch = () => {
    const out = join(folder, `emulator-${count++}.json`);
    const process = spawnEmulator(["--port", String(port), "--out", out, ...flags]);
    const ready = readOut(out, process, startMs).then((info) => {
      port = Number(new URL(info.apiUrl).port);
      return info;
    });
    // The promise of a process that is killed before it is ready rejects, and no caller awaits it.
    ready.catch(() => undefined);
    return { process, ready };
  };
  let running = launch();
  const replica: Replica = {
    kill: async () => {
      const { child, exited, output } = running.process;
      const { exitCode } = child;
      child.kill("SIGKILL");
      await exited;
      if (exitCode !== null) throw new Error(`the emulator ended by itself: ${output().stderr}`);
    },
    ready: running.ready,
    start: () => {
      running = launch();
      replica.ready = running.ready;
    },
  };
  return replica;
}

/** Opens the books of a service, makes its integrator a sponsor, and sets a receiver of webhooks. */
async function openWorld(service: Service): Promise<World> {
  const { chains, infos, stop } = service;
  const [info] = infos;
  const [, beta] = chains;
  if (beta === undefined) throw new Error("the emulator has too few chains");
  const receiver = await startReceiver(answerUnreliably(drawsOf("receiver")));
  const key = info.apiKeys[0];
  const put = (path: string, body: object) =>
    admin(info, path, { body: JSON.stringify(body), method: "PUT" });
  await put(`/keys/${key?.id}/webhook`, { url: receiver.url });
  await put("/sponsors", { amount: `${sponsorFunds}`, apiKeyId: key?.id });
  // Signatures are authorizations of ERC-3009 on one chain and permits of ERC-2612 on the other.
  await takeAuthorizations(beta);
  const books = await Promise.all(chains.map((chain) => openBooks(chain, info.solver)));
  const others = await openOtherBooks(info);
  const options = { apiKey: key?.key, retry: { count: 0 }, timeout: callMs };
  const replicas = infos.map(({ apiUrl }) => ({
    apiUrl,
    client: createClient({ ...options, baseUrl: apiUrl }),
  }));
  return {
    ...service,
    ask: (draws) => async (call) => {
      const end = performance.now() + patienceMs;
      for (;;) {
        try {
          return await call(draws.pick(replicas));
        } catch (error) {
          // The service rejected the call itself: a repetition would fail too.
          if (error instanceof HttpError && error.status < 500) throw error;
          if (performance.now() > end) throw error;
          await pause(25);
        }
      }
    },
    closeBooks: async (payments) => {
      const all = accountsOf(payments);
      const own = all.filter((each): each is Address => isAddress(each, { strict: false }));
      const problems = await Promise.all(books.map((each) => each.close(own)));
      return [...problems.flat(), ...(await others.close(all))];
    },
    payments: [],
    receiver,
    stop: async () => {
      await receiver.stop();
      await stop();
    },
  };
}

/**
 * Answers of an unreliable receiver of webhooks: one post in nine is rejected, its connection reset, or its answer
 * lost, whole or in part. The receiver has read each of these posts.
 */
function answerUnreliably(draws: Draws): Answer {
  return async (response) => {
    await pause(draws.whole(0, longestAnswerMs));
    const trouble = draws.whole(1, 36);
    if (trouble === 1) response.writeHead(503).end();
    else if (trouble === 2) response.socket?.resetAndDestroy();
    else if (trouble === 3) response.socket?.destroy();
    else if (trouble === 4) {
      response.writeHead(200, { "content-length": 10 });
      response.write("half", () => response.socket?.resetAndDestroy());
    } else response.writeHead(200).end();
  };
}
