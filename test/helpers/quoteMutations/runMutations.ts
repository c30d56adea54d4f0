import { createClient } from "../../../src/client/index.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { sleep } from "../../../src/internal/sleep.ts";
import { type EmulatorFixture, startFixture } from "../emulatorFixture.ts";
import { takeAuthorizations } from "../permits.ts";
import { quickSleep } from "../quickSleep.ts";
import { type Draws, drawsOf } from "../seededDraws.ts";
import { carryOut, codeOf, prove } from "./adapter.ts";
import { exploitSignatures } from "./exploitSignatures.ts";
import { type Judgement, judge } from "./judge.ts";
import { allowancesSince, hasRefundSince, movementSince, readPage } from "./ledger.ts";
import { drawMutant } from "./mutateQuote.ts";
import { countOf, emptyReport, type Report } from "./Report.ts";
import { olderRoutes, presentRoutes, type RouteKind } from "./routeKinds.ts";
import type { Mutant, Stage } from "./Stage.ts";
import { openStage, receiversOf } from "./stages.ts";

/** How long money that was paid may take to arrive, in milliseconds. */
const arrivalMs = 6_000;
/** How long a signature is watched that the service did not take. */
const unusedMs = 400;

/** Emulators with every kind of route. */
export type MutationLab = {
  /** Draws `count` mutants; `first` is the number of the first one. */
  run: (seed: string, count: number, first?: number) => Promise<Report>;
  stop: () => Promise<void>;
};

/** Mutants at once: most of the time goes by in waiting for the chains. */
const workers = 4;

/** Ends in which `execute` itself refused something. */
const refusals = /^(?:QUOTE_|STEP_REJECTED|UNSUPPORTED_STEP|CHAIN_MISMATCH|INVALID_PARAMETER)/;

type Lane = { readonly fixture: EmulatorFixture; readonly kind: RouteKind; stage?: Stage | undefined };

/** Starts an emulator with the present contracts and one with the older router. */
export async function openLab(): Promise<MutationLab> {
  const [present, older] = await Promise.all([startFixture(), startFixture({ routerVersion: "v2.1" })]);
  await takeAuthorizations(older.alpha);
  const lanes: Lane[] = [
    ...presentRoutes.map((kind) => ({ fixture: present, kind })),
    ...olderRoutes.map((kind) => ({ fixture: older, kind })),
  ];
  return {
    run: (seed, count, first = 0) => run(lanes, { count, first, seed }),
    stop: async () => {
      await Promise.all([present.stop(), older.stop()]);
    },
  };
}

type Run = { readonly count: number; readonly first: number; readonly seed: string };

/** Routes are shared out among the workers: one user's mutants come one after the other. */
async function run(lanes: readonly Lane[], parameters: Run): Promise<Report> {
  const report = emptyReport();
  const { count, first } = parameters;
  const work = async (worker: number): Promise<void> => {
    for (let index = first; index < first + count; index++) {
      const lane = lanes[index % lanes.length];
      if (lane === undefined) throw new Error("there are no routes");
      if ((index % lanes.length) % workers !== worker) continue;
      await tryOne(lane, `${parameters.seed} ${index}`, report);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return report;
}

async function tryOne(lane: Lane, seed: string, report: Report): Promise<void> {
  const draws = drawsOf(seed);
  const ofStage = drawsOf(`${seed} stage`);
  lane.stage ??= await openHonestly(lane, ofStage);
  const mutant = drawDifferent(lane.stage, draws);
  report.made++;
  const code = await prove(lane.stage, mutant);
  if (code !== undefined) {
    countOf(report.refused, code);
    return;
  }
  const { user } = lane.stage;
  const { end, judgement } = await execute(lane.stage, mutant);
  const { losses, verdict } = judgement;
  // Steps that come later are proven when they come; what was signed before must be harmless then.
  if (verdict !== "lost" && refusals.test(end)) countOf(report.refused, `later: ${end}`);
  else {
    report.accepted++;
    countOf(report.ends, `${verdict}: ${end}`);
  }
  if (verdict === "lost") {
    report.lost.push(`[${seed}] ${lane.kind.name}: ${mutant.name}: ${end}: ${losses.join("; ")}`);
  }
  const isUnused = verdict === "untouched" && user.hashes.length + user.signed.length === 0;
  if (isUnused) return;
  // Only a user whose money came through as asked is used again.
  const isClean = verdict === "paid" && end === "success";
  lane.stage = isClean ? await openStage(lane.fixture, lane.kind, ofStage, lane.stage) : undefined;
}

/** A stage whose honest quote is proven, or the run is worth nothing. */
async function openHonestly({ fixture, kind }: Lane, draws: Draws): Promise<Stage> {
  const stage = await openStage(fixture, kind, draws);
  const code = await prove(stage, { name: "honest", quote: stage.quote });
  if (code !== undefined) throw new Error(`the honest quote of "${kind.name}" is refused: ${code}`);
  return stage;
}

function drawDifferent(stage: Stage, draws: Draws): Mutant {
  const honest = JSON.stringify(stage.quote);
  for (;;) {
    try {
      const mutant = drawMutant(stage, draws);
      const isDifferent = mutant.changeAnswer !== undefined || mutant.state !== undefined;
      if (isDifferent || JSON.stringify(mutant.quote) !== honest) return mutant;
    } catch {
      // A change that cannot be encoded is no mutant.
    }
  }
}

async function execute(stage: Stage, mutant: Mutant): Promise<{ end: string; judgement: Judgement }> {
  const { fixture, user } = stage;
  const before = await readPage(fixture, user, receiversOf(stage));
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
  // Money may be on its way; a signature may still be used.
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

/** Whether the only fault is that money which was paid is nowhere yet. */
function isArriving({ losses, verdict }: Judgement): boolean {
  return verdict === "lost" && losses.some((loss) => loss.startsWith("paid "));
}

/** A client whose answers to signatures are changed on their way. */
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
