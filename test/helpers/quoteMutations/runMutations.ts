import { createClient } from "../../../src/client/index.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { sleep } from "../../../src/internal/sleep.ts";
import { type EmulatorFixture, startFixture } from "../emulatorFixture.ts";
import { takeAuthorizations } from "../permits.ts";
import { quickSleep } from "../quickSleep.ts";
import { type Draws, drawsOf } from "../seededDraws.ts";
import { carryOut, codeOf, prove, readTrust } from "./adapter.ts";
import { exploitSignatures } from "./exploitSignatures.ts";
import { type Judgement, judge } from "./judge.ts";
import { allowancesSince, movementSince, readPage } from "./ledger.ts";
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

/** Ends in which `execute` itself refused something. */
const refusals = /^(?:QUOTE_|STEP_REJECTED|UNSUPPORTED_STEP|CHAIN_MISMATCH|INVALID_PARAMETER)/;

type Lane = { readonly fixture: EmulatorFixture; readonly kind: RouteKind; stage?: Stage | undefined };

/** Starts an emulator with the present contracts and one with the older router. */
export async function openLab(): Promise<MutationLab> {
  const [present, older] = await Promise.all([startFixture(), startFixture({ routerVersion: "v2.1" })]);
  await Promise.all([readTrust(present), readTrust(older)]);
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

async function run(
  lanes: readonly Lane[],
  { count, first, seed }: { count: number; first: number; seed: string },
): Promise<Report> {
  const report = emptyReport();
  for (let index = first; index < first + count; index++) {
    const own = `${seed} ${index}`;
    const draws = drawsOf(own);
    const lane = lanes[index % lanes.length];
    if (lane === undefined) throw new Error("there are no routes");
    const ofStage = drawsOf(`${own} stage`);
    lane.stage ??= await openHonestly(lane, ofStage);
    const mutant = drawDifferent(lane.stage, draws);
    report.made++;
    const code = await prove(lane.stage, mutant);
    if (code !== undefined) {
      countOf(report.refused, code);
      continue;
    }
    const { end, judgement } = await execute(lane.stage, mutant);
    const isLost = judgement.verdict === "lost";
    // Steps that come later are proven when they come; what was signed before must be harmless then.
    if (!isLost && refusals.test(end)) countOf(report.refused, `later: ${end}`);
    else {
      report.accepted++;
      countOf(report.ends, `${judgement.verdict}: ${end}`);
    }
    if (isLost) {
      report.lost.push(`[${own}] ${lane.kind.name}: ${mutant.name}: ${end}: ${judgement.losses.join("; ")}`);
    }
    // Only a user whose money came through as asked is used again.
    const isClean = judgement.verdict === "paid" && end === "success";
    if (judgement.verdict === "untouched" && end !== "success") {
      if (lane.stage.user.hashes.length + lane.stage.user.signed.length === 0) continue;
    }
    lane.stage = isClean ? await openStage(lane.fixture, lane.kind, ofStage, lane.stage) : undefined;
  }
  return report;
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
    return judge(stage, await movementSince(fixture, user, before), allowances);
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
