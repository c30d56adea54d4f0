import { randomUUID } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";
import { type StartTime, startTimeOf } from "../chains/startTime.ts";
import type { ConfigChange } from "../context/EmulatorConfig.ts";
import {
  describeResponse,
  failed,
  type Header,
  headerSchema,
  type Line,
  type Run,
  recordingVersion,
  toJson,
} from "./Recording.ts";

/** Interval of the clock's moves without an input, in milliseconds. */
const tickMs = 250;

/**
 * Records a run to a file of JSON lines. The file appears under its name when the run is closed; until then its name ends in
 * `.partial`.
 */
async function recordRun(file: string, header: Omit<Header, "apiUrl">): Promise<Run> {
  const partial = `${file}.partial`;
  // Only its owner may read it: the seed reveals the keys.
  const handle = await open(partial, "w", 0o600);
  let settle: (() => Promise<string>) | undefined;
  const startedAt = Date.now();
  let apiUrl = "";
  let isClosed = false;
  let state = "";
  let time = header.at;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(() => {
      time = Math.max(time, header.at + Date.now() - startedAt);
      return work();
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  const write = (line: Pick<Line, "answer" | "input">) =>
    handle.appendFile(`${toJson({ at: time, ...line, state })}\n`);
  const admit: Run["admit"] = async (input, act, describe) => {
    if (settle === undefined) return act();
    const waits = settle;
    return inTurn(async () => {
      const outcome = act();
      const answer = await outcome.then(describe, () => failed);
      state = await waits();
      await write({ answer, input });
      return outcome;
    });
  };
  const tick = () =>
    inTurn(async () => {
      const before = state;
      state = (await settle?.()) ?? before;
      if (state !== before) await write({ answer: null, input: { kind: "tick" } });
    });
  return {
    admit,
    begin: async (running) => {
      await handle.appendFile(`${toJson({ ...header, apiUrl })}\n`);
      state = await running.settle();
      settle = running.settle;
      // A failed tick is repeated by the next one.
      timer = setInterval(() => void tick().catch(() => undefined), tickMs);
      timer.unref();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      settle = undefined;
      await last;
      await handle.close();
      await rename(partial, file);
    },
    now: () => time,
    pace: {
      admit: ({ chainId, method, params }, run) =>
        admit({ chainId, kind: "rpc", method, params: [...params] }, run, describeResponse),
      now: () => time,
    },
    seed: header.seed,
    siteUrl: (url) => {
      apiUrl = url;
      return url;
    },
    startAt: header.at,
  };
}

type Recorded = ConfigChange & {
  readonly chainCount?: number | undefined;
  readonly chainIds?: readonly number[] | undefined;
  readonly chains?: readonly unknown[] | undefined;
  readonly forks?: readonly unknown[] | undefined;
  readonly database?: string | undefined;
  readonly perps?: boolean | undefined;
  readonly privateChains?: readonly unknown[] | undefined;
  readonly svm?: boolean | undefined;
  readonly now?: StartTime | (() => number) | undefined;
  readonly random32?: unknown;
  readonly seed?: string | undefined;
};

/** Begins the recording of a run. */
export async function openRecording(parameters: Recorded, file: string): Promise<Run> {
  const { chains, database = ":memory:", now, random32 } = parameters;
  const refuse = (reason: string) => new InvalidParameterError({ parameter: "record", reason });
  if (chains !== undefined) throw refuse("chains that run elsewhere cannot be replayed");
  if (parameters.forks !== undefined) throw refuse("forks of public chains cannot be replayed");
  if (database !== ":memory:") throw refuse("a recording begins with an empty database in memory");
  if (typeof now === "function" || random32 !== undefined) {
    throw refuse("the functions `now` and `random32` cannot be replayed");
  }
  const { shape } = headerSchema.shape.parameters;
  const given = Object.entries(parameters).filter(([name, value]) => name in shape && value !== undefined);
  const header: Omit<Header, "apiUrl"> = {
    at: now === undefined ? Date.now() : startTimeOf(now),
    parameters: headerSchema.shape.parameters.parse(Object.fromEntries(given)),
    seed: parameters.seed ?? randomUUID(),
    version: recordingVersion,
  };
  return recordRun(file, header);
}
