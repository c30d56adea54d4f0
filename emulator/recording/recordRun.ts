import { open, rename } from "node:fs/promises";
import { describeResponse, failed } from "./answers.ts";
import { type Header, type Line, toJson } from "./Recording.ts";
import type { Run } from "./Run.ts";

/** Interval of the clock's moves without an input, in milliseconds. */
const tickMs = 250;

/**
 * Records a run to a file of JSON lines. The file appears under its name when the run is closed; until then its name ends in
 * `.partial`.
 */
export async function recordRun(file: string, header: Omit<Header, "apiUrl">): Promise<Run> {
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
