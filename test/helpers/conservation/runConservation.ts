import type { Emulator } from "../../../emulator/index.ts";
import { createClient, getRequests, getStatus } from "../../../src/client/index.ts";
import { type EmulatorFixture, startFixture } from "../emulatorFixture.ts";
import { isEnded } from "../requests/isEnded.ts";
import { historyOf, type RequestSummary, requestsOf } from "../requests/requestHistory.ts";
import { drawsOf } from "../seededDraws.ts";
import { carryOutIntent, type Scene } from "./carryOutIntent.ts";
import { drawIntent } from "./drawIntent.ts";
import { judgeIntent, type Told } from "./judgeIntent.ts";
import type { Outcome } from "./Outcome.ts";
import { openBooks } from "./openBooks.ts";
import { fillPurse, purseOf } from "./purses.ts";
import { setScene } from "./setScene.ts";

/** Number of intents by end. */
type ConservationReport = Readonly<Record<string, number>>;

/** Result of a batch, and its violations in words. */
type BatchResult = { readonly report: ConservationReport; readonly problems: readonly string[] };

const atOnce = 6;
const settleMs = 60_000;
/** Time without a change before the books are closed, in milliseconds. */
const quietMs = 250;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An emulator that executes batches of random intents, one batch at a time. */
export type ConservationStage = {
  /** Executes a batch, and closes its books. */
  run(seed: string, count: number): Promise<BatchResult>;
  stop(): Promise<void>;
};

export async function startConservation(): Promise<ConservationStage> {
  const errors: string[] = [];
  const fixture = await startFixture({
    log: ({ cause, level, message }) => {
      if (level === "error") errors.push(`${message}: ${String(cause)}`);
    },
  });
  const scene = await setScene(fixture);
  let used = 0;
  return {
    run: async (seed, count) => {
      const first = used;
      used += count;
      const { problems, report } = await runBatch(scene, seed, { count, first });
      return { problems: [...problems, ...errors.splice(0)], report };
    },
    stop: fixture.stop,
  };
}

async function runBatch(
  scene: Scene,
  seed: string,
  { count, first }: { count: number; first: number },
): Promise<BatchResult> {
  const { fixture } = scene;
  const { alpha, beta, emulator } = fixture;
  const draws = drawsOf(seed);
  // The seed chooses the router version too.
  await emulator.control.config.set({ routerVersion: draws.pick(["v2.1", "v3"]) });
  const intents = Array.from({ length: count }, (_, index) => drawIntent(index, [alpha, beta], draws));
  const purses = intents.map(({ index }) => purseOf(first + index));
  for (const [index, { from, origin }] of intents.entries()) {
    await fillPurse(fixture, purses[index] ?? purseOf(0), origin, from);
  }
  const own = [
    ...purses.map(({ address }) => address),
    ...intents.flatMap(({ recipient, refundTo }) => [recipient, refundTo]),
  ];
  const opened = await Promise.all([alpha, beta].map((chain) => openBooks(chain, emulator.info.solver, own)));

  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const [drawn, purse] = [intents[index], purses[index]];
      if (drawn !== undefined && purse !== undefined)
        outcomes.push(await carryOutIntent(drawn, purse, scene));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await settled(fixture, outcomes);
  await emulator.control.faults.clear();

  const closed = await Promise.all(opened.map((books) => books.close()));
  const readings = new Map(closed.map(({ chain, ...reading }) => [chain.info.id, reading]));
  const problems = closed.flatMap((books) => books.problems);
  const report: Record<string, number> = {};
  for (const outcome of outcomes) {
    const told = await tell(fixture, outcome);
    const end = told?.status ?? "not quoted";
    report[end] = (report[end] ?? 0) + 1;
    for (const problem of judgeIntent(outcome, told, readings))
      problems.push(`${nameOf(outcome)}: ${problem}`);
  }
  return { problems, report };
}

/** Waits until no transaction has work left. */
async function settled({ emulator }: EmulatorFixture, outcomes: readonly Outcome[]): Promise<void> {
  const end = performance.now() + settleMs;
  let open = outcomes.flatMap((outcome) => outcome.hashes);
  const unfinished = async (hashes: typeof open) => {
    const all = await Promise.all(
      hashes.map(async (hash) => {
        const found = await requestsOf(emulator, hash);
        const ended = await Promise.all(found.map((request) => hasEnded(emulator, request)));
        return found.length > 0 && ended.every(Boolean) ? [] : [hash];
      }),
    );
    return all.flat();
  };
  for (let isQuiet = false; !isQuiet; ) {
    open = await unfinished(open);
    if (performance.now() > end) throw new Error(`not settled: ${open.join(", ")}`);
    if (open.length > 0) {
      await pause(20);
      continue;
    }
    await pause(quietMs);
    open = await unfinished(outcomes.flatMap((outcome) => outcome.hashes));
    isQuiet = open.length === 0;
  }
}

async function hasEnded(emulator: Emulator, { requestId, status }: RequestSummary): Promise<boolean> {
  if (status !== "failure") return isEnded({ deposits: [], status });
  return isEnded(await historyOf(emulator, requestId));
}

async function tell(
  { client, emulator }: EmulatorFixture,
  { requestId }: Outcome,
): Promise<Told | undefined> {
  if (requestId === undefined) return undefined;
  const { status } = await getStatus(client, { requestId });
  const keyed = createClient({ apiKey: emulator.info.apiKeys[0]?.key, baseUrl: emulator.info.apiUrl });
  const { requests } = await getRequests(keyed, { id: requestId });
  const { refundCurrencyData, route } = requests[0]?.data ?? {};
  const [delivered, returned] = [route?.actual?.destination?.outputCurrency, refundCurrencyData].map(
    (told) => (told?.amount === undefined ? undefined : BigInt(told.amount)),
  );
  return { delivered, returned, status };
}

function nameOf({ drawn, requestId }: Outcome): string {
  const { faults, from, index, origin, tampering = "as quoted", to, tradeType } = drawn;
  const kinds = faults.map(({ kind }) => kind).join(" and ") || "no fault";
  return `intent ${index}, ${tradeType} ${from} on ${origin.info.name} to ${to}, ${tampering}, ${kinds}, ${requestId}`;
}
