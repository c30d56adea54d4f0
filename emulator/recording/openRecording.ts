import { randomUUID } from "node:crypto";
import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";
import { type StartTime, startTimeOf } from "../chains/startTime.ts";
import type { ConfigChange } from "../context/EmulatorConfig.ts";
import { type Header, headerSchema, recordingVersion } from "./Recording.ts";
import type { Run } from "./Run.ts";
import { recordRun } from "./recordRun.ts";

/** Parameters of a start that a recording depends on. */
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
