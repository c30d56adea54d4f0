import { createClient } from "../../../src/client/index.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { sleep } from "../../../src/internal/sleep.ts";
import { type EmulatorFixture, startFixture } from "../emulatorFixture.ts";
import { quickSleep } from "../quickSleep.ts";
import { takeAuthorizations } from "../quotes/permits.ts";
import { type Draws, drawsOf } from "../seededDraws.ts";
import { countIn, emptyTally, type Tally } from "../tally.ts";
import { exploitSignatures } from "./exploitSignatures.ts";
import { type Judgement, judge } from "./judge.ts";
import { allowancesSince, hasRefundSince, movementSince, readPage } from "./ledger.ts";
import { drawMutant, mutantInTurn } from "./mutateQuote.ts";
import { olderRoutes, presentRoutes, type RouteKind } from "./routes.ts";
import { carryOut, codeOf, type Mutant, openStage, prove, type Stage } from "./stage.ts";

/** Time limit of the arrival of paid money, in milliseconds. */
const arrivalMs = 6_000;
/** Time in milliseconds to wait for a payment by a signature that the service did not accept. */
const unusedMs = 400;

/** Emulators with every kind of route. */
export type QuoteLab = {
  /**
   * Runs `count` mutants by a seed.
   *
   * @param options.first The number of the first one.
   */
  run: (seed: string, count: number, options?: { readonly first?: number }) => Promise<Tally>;
  close: () => Promise<void>;
};

/** Attempts to get a proven honest quote. */
const honestAttempts = 4;

/** Concurrent mutants: most of the time is spent waiting for the chains. */
const workers = 4;

/** Ends in which `execute` itself rejected a mutant. */
const refusals = /^(?:QUOTE_|STEP_REJECTED|UNSUPPORTED_STEP|CHAIN_MISMATCH|INVALID_PARAMETER)/;

type Lane = { readonly fixture: EmulatorFixture; readonly kind: RouteKind; stage?: Stage | undefined };

/** Starts an emulator with the present contracts and one with the older router. */
export async function openQuoteLab(): Promise<QuoteLab> {
  const [present, older] = await Promise.all([startFixture(), startFixture({ routerVersion: "v2.1" })]);
  await takeAuthorizations(older.alpha);
  const lanes: Lane[] = [
    ...presentRoutes.map((kind) => ({ fixture: present, kind })),
    ...olderRoutes.map((kind) => ({ fixture: older, kind })),
  ];
  return {
    run: (seed, count, { first = 0 } = {}) => run(lanes, { count, first, seed }),
    close: async () => {
      await Promise.all([present.stop(), older.stop()]);
    },
  };
}

type Run = { readonly count: number; readonly first: number; readonly seed: string };

/** Routes are shared out among the workers: one user's mutants come one after the other. */
async function run(lanes: readonly Lane[], parameters: Run): Promise<Tally> {
  const report = emptyTally();
  const { count, first, seed } = parameters;
  const work = async (worker: number): Promise<void> => {
    for (let index = first; index < first + count; index++) {
      const place = index % lanes.length;
      const lane = lanes[place];
      if (lane === undefined) throw new Error("there are no routes");
      if (place % workers !== worker) continue;
      const turn = Math.floor(index / lanes.length);
      const inTurn = { lane: place, lanes: lanes.length, turn: turn / 2 };
      // Every second one changes one field, all fields in their turn.
      const draw = turn % 2 === 0 ? mutantInTurn : drawMutant;
      const make: Make = (stage, draws) => draw(stage, draws, inTurn);
      await tryOne(lane, { make, seed: `${seed} ${index}` }, report);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return report;
}

type Make = (stage: Stage, draws: Draws) => Mutant;

async function tryOne(
  lane: Lane,
  { make, seed }: { readonly make: Make; readonly seed: string },
  report: Tally,
): Promise<void> {
  const draws = drawsOf(seed);
  const ofStage = drawsOf(`${seed} stage`);
  lane.stage ??= await openHonestly(lane, ofStage);
  countIn(report, "runs");
  if (lane.stage === undefined) {
    countIn(report, "refused: route spoiled");
    return;
  }
  const mutant = drawDifferent(lane.stage, draws, make);
  const code = await prove(lane.stage, mutant);
  if (code !== undefined) {
    countIn(report, `refused: ${code}`);
    return;
  }
  const { user } = lane.stage;
  const { end, judgement } = await execute(lane.stage, mutant);
  const { losses, verdict } = judgement;
  // Later steps are proven on arrival; earlier signatures must be harmless by then.
  if (verdict !== "lost" && refusals.test(end)) countIn(report, `refused: later ${end}`);
  else countIn(report, `accepted: ${verdict}, ${end}`);
  if (verdict === "lost") {
    report.failures.push(`[${seed}] ${lane.kind.name}: ${mutant.name}: ${end}: ${losses.join("; ")}`);
  }
  const isUnused = verdict === "untouched" && user.hashes.length + user.signed.length === 0;
  if (isUnused) return;
  // A user is reused only after a correct delivery.
  const isClean = verdict === "paid" && end === "success";
  lane.stage = isClean ? await openStage(lane.fixture, lane.kind, ofStage, lane.stage) : undefined;
}

/**
 * Sets a stage with a proven honest quote, which the run needs. Other workers trade on the same pools, so a swap may
 * be simulated at another price than the quoted one: such a quote is requested again.
 */
async function openHonestly({ fixture, kind }: Lane, draws: Draws): Promise<Stage | undefined> {
  for (let attempt = 1; ; attempt++) {
    const stage = await openStage(fixture, kind, draws);
    const code = await prove(stage, { name: "honest", quote: stage.quote });
    if (code === undefined) return stage;
    // A mutant may have left the public router with an allowance that a token does not let it change.
    if (code === "QUOTE_SIMULATION" && attempt === honestAttempts) return undefined;
    if (code !== "QUOTE_SIMULATION") {
      throw new Error(`the honest quote of "${kind.name}" is refused: ${code}`);
    }
  }
}

function drawDifferent(stage: Stage, draws: Draws, make: Make): Mutant {
  const honest = JSON.stringify(stage.quote);
  for (let attempt = 0; ; attempt++) {
    try {
      // No change of some fields can be encoded.
      const mutant = (attempt < 20 ? make : drawMutant)(stage, draws);
      const isDifferent = mutant.changeAnswer !== undefined || mutant.state !== undefined;
      if (isDifferent || JSON.stringify(mutant.quote) !== honest) return mutant;
    } catch {
      // A change that cannot be encoded is no mutant.
    }
  }
}

async function execute(stage: Stage, mutant: Mutant): Promise<{ end: string; judgement: Judgement }> {
  const { fixture, user } = stage;
  const before = await readPage(fixture, user, [stage.accounts.recipient, stage.accounts.callee]);
  const signedBefore = user.signed.length;
  const end = await carryOut(stage, mutant, clientOf(fixture, mutant)).catch((error: unknown) =>
    error instanceof RequestFailedError ? error.status : codeOf(error),
  );
  const faults = await exploitSignatures(stage, user.signed.slice(signedBefore));
  const look = async () => {
    const allowances = await allowancesSince(fixture, user, before);
    const movement = await movementSince(fixture, user, before);
    const first = judge(stage, movement, { allowances, hasRefund: false });
    if (!isArriving(first)) return first;
    return judge(stage, movement, { allowances, hasRefund: await hasRefundSince(fixture, user, before) });
  };
  let judgement = await look();
  // Money may be in transit; a signature may still be used.
  const startedAt = Date.now();
  const isSigned = end !== "success" && user.signed.length > signedBefore;
  const limit = () =>
    isArriving(judgement) ? arrivalMs : judgement.verdict === "untouched" && isSigned ? unusedMs : 0;
  while (Date.now() - startedAt < limit()) {
    await sleep(50);
    judgement = await look();
  }
  if (faults.length === 0) return { end, judgement };
  return { end, judgement: { losses: [...judgement.losses, ...faults], verdict: "lost" } };
}

/** Whether the only violation is money in transit. */
function isArriving({ losses, verdict }: Judgement): boolean {
  return verdict === "lost" && losses.some((loss) => loss.startsWith("paid "));
}

/** A client whose answers to signatures are modified. */
function clientOf({ emulator }: EmulatorFixture, { changeAnswer }: Mutant) {
  return createClient({
    baseUrl: emulator.info.apiUrl,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (changeAnswer === undefined || !/\/execute\/permits|\/authorize/.test(url) || !answer.ok)
        return answer;
      return Response.json(changeAnswer((await answer.json()) as Record<string, unknown>));
    },
    sleep: quickSleep,
  });
}
