import { createClient } from "../../../src/client/index.ts";
import type { ExecuteParameters, ExecuteProgress, ExecutionState } from "../../../src/execute/index.ts";
import type { LibraryProcess } from "./libraryProcess.ts";
import type { Network } from "./nodes.ts";
import { type Call, isAlive, isCall, type Purse, type SignedTransaction } from "./purse.ts";
import type { Attempt, Script } from "./Script.ts";
import type { Payment, Scene } from "./scene.ts";

/** Time limit of each wait, and the longest that a run may take, in milliseconds of the victim's clock. */
const timeout = 4_000;
const longest = 8 * timeout;
/** Longest time of a run on a busy machine. Nothing in it waits for more than a transport's time limit. */
const hangMs = 30_000;

/** What the victim was told and asked to sign. */
export type VictimLog = {
  /** Ends of the runs: `success`, or the code of an error. */
  readonly ends: string[];
  /** Broken promises that can be seen at once. */
  readonly faults: string[];
  /** Transactions of the proven steps, by step. */
  readonly calls: Map<string, Call[]>;
};

/** Breaks a part of the victim, to show that the judge finds it. */
export type Mutation = {
  /** Starts the process again before every run, whatever state it is given: it has no ledger. */
  readonly isForgetful?: true;
  /** Signs other bytes than the library did. */
  readonly sign?: (transaction: SignedTransaction) => object;
  readonly error?: (error: unknown) => unknown;
  /** Takes every error for a success. */
  readonly isBlind?: true;
  /** Time limit of each wait, in milliseconds. */
  readonly timeout?: number;
};

/** Parameters of {@link runVictim}. */
export type VictimParameters = {
  readonly scene: Scene;
  readonly payment: Payment;
  readonly network: Network;
  readonly purse: Purse;
  readonly script: Script;
  readonly start: () => LibraryProcess;
  readonly mutation: Mutation;
};

/** Selector of `approve`. */
const approve = "0x095ea7b3";

class Killed extends Error {}

/** Parameters of {@link runOnce}. */
export type Once = VictimParameters & {
  readonly attempt: Attempt;
  /** Number of signed transactions before the run. */
  readonly first: number;
  readonly library: LibraryProcess;
  readonly log: VictimLog;
  readonly saved: ExecutionState[];
  readonly state: ExecutionState | undefined;
  readonly wallet: Pick<ExecuteParameters, "publicClient" | "wallet">;
};

/** Runs `execute` once, and notes what it says. Returns `success`, `killed`, or the code of the error. */
export async function runOnce(once: Once): Promise<string> {
  const { attempt, library, log, mutation, network, payment, saved, scene, script, state, wallet } = once;
  const clock = openClock(scene.now);
  const { maximumFee } = script;
  const controller = new AbortController();
  let events = 0;
  const onProgress = async (event: ExecuteProgress) => {
    const index = events++;
    const kept: ExecutionState = JSON.parse(JSON.stringify(event.state));
    const isKilled = attempt.kill?.at === index;
    network.note(
      `event ${index} ${event.type === "item" ? `${event.phase} ${event.step.id}` : "status"}${isKilled ? " killed" : ""}`,
    );
    if (!isKilled || attempt.kill?.isSaved === true) saved.push(kept);
    if (event.type === "item") noteCalls(log, event);
    for (const { status, txHash } of kept.items) {
      const isSigned = network.sent.some(({ hash }) => hash === txHash);
      if (status === "complete" && txHash !== undefined && !isSigned)
        log.faults.push(`completed by ${txHash}, which was not signed`);
    }
    if (event.type === "item" && event.phase === "notDone") await assertNotSent(once, event.step.id, "event");
    if (attempt.abortAt === index) controller.abort();
    if (isKilled) throw new Killed();
  };
  const { currencyOut } = payment.quote.details;
  const parameters: ExecuteParameters = {
    ...wallet,
    onProgress,
    quote: payment.quote,
    request: payment.request,
    signal: controller.signal,
    state: state === undefined ? undefined : JSON.parse(JSON.stringify(state)),
    timeout: mutation.timeout ?? timeout,
    verify: {
      minimumOutput: (BigInt(currencyOut.minimumAmount ?? currencyOut.amount) * 99n) / 100n,
      trust: scene.trust,
      ...(maximumFee !== undefined && { maximumFee: BigInt(maximumFee) }),
    },
  };
  const client = createClient({
    ...clock,
    baseUrl: "http://127.0.0.1:1",
    fetch: statusOf(once),
    retry: { count: 0 },
  });
  const running = library.execute(client, parameters);
  const end = await withinTime(running).then(
    () => "success",
    (error: unknown) => (mutation.isBlind ? "success" : endOf(once, mutation.error?.(error) ?? error)),
  );
  if (clock.now() - scene.now > longest)
    log.faults.push(`a run took ${clock.now() - scene.now} ms of its clock`);
  if (end === "success" && (await once.purse.spent(network.sent)) < payment.amount)
    log.faults.push("success without a payment");
  network.note(`end ${end}`);
  return end;
}

/** A clock that only sleeping moves. */
function openClock(start: number) {
  let time = start;
  return {
    now: () => time,
    sleep: async (ms: number, signal?: AbortSignal) => {
      const end = time + ms;
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      time = Math.max(time, end);
    },
  };
}

/** The honest service: it reports a success once the payment is mined. */
function statusOf({ network, payment, purse }: Once) {
  return async (): Promise<Response> => {
    const isPaid = (await purse.spent(network.sent)) >= payment.amount;
    const { destinationChainId, originChainId } = payment.request;
    const status = isPaid ? "success" : "waiting";
    return Response.json({ destinationChainId, inTxHashes: [], originChainId, status, txHashes: [] });
  };
}

async function withinTime(running: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("hangs")), hangMs);
  });
  try {
    return await Promise.race([running, limit]);
  } finally {
    clearTimeout(timer);
  }
}

async function endOf(once: Once, error: unknown): Promise<string> {
  const { log, payment } = once;
  if (error instanceof Killed) return "killed";
  const { code, message, outcome, stepId } = error as {
    code?: string;
    message: string;
    outcome?: string;
    stepId?: string;
  };
  once.network.note(`error ${message.split("\n", 1)[0]}`);
  if (typeof code !== "string" || !/^[A-Z_]+$/.test(code))
    log.faults.push(`an error without a code: ${error}`);
  const [last] = payment.quote.steps.slice(-1);
  if (outcome === "notDone" || /nothing was sent/i.test(message))
    await assertNotSent(once, stepId ?? last?.id ?? "", code ?? "");
  return outcome === undefined ? `${code}` : `${code} ${outcome}`;
}

function noteCalls({ calls }: VictimLog, { step }: Extract<ExecuteProgress, { type: "item" }>): void {
  const items = step.items.flatMap(({ data }) => (data !== undefined && "to" in data ? [data as Call] : []));
  // A run that only follows a payment has the quote's own steps, without guards.
  calls.set(step.id, [...(calls.get(step.id) ?? []), ...items]);
}

/** An approval may be made again after a rollback, so only those of this run count. */
async function assertNotSent(
  { first, log, network, scene }: Once,
  stepId: string,
  where: string,
): Promise<void> {
  const calls = log.calls.get(stepId) ?? [];
  for (const [index, sent] of network.sent.entries()) {
    const call = calls.find((each) => isCall(sent, each));
    const isOlder = index < first && call?.data?.startsWith(approve) === true;
    if (call === undefined || isOlder || !(await isAlive(scene, sent))) continue;
    log.faults.push(`said that ${stepId} was not done (${where}), but ${sent.hash} is alive`);
  }
}
