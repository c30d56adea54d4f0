import { readFile } from "node:fs/promises";
import { InvalidParameterError } from "../src/errors/InvalidParameterError.ts";
import { ControlRefusedError } from "./errors/refusals.ts";
import {
  failed,
  fromJson,
  type Header,
  headerSchema,
  type Line,
  lineSchema,
  type Run,
  type Stageable,
  toJson,
} from "./recording/Recording.ts";
import { type StartEmulatorReturnType, startWith } from "./startEmulator.ts";
import { assertStartParameters, type StartEmulatorParameters } from "./startParameters.ts";

/** Parameters of {@link replayRun}: where the emulator listens, and its logger. */
export type ReplayRunParameters = Pick<
  StartEmulatorParameters,
  "chainPorts" | "cors" | "hostname" | "log" | "onActivity" | "port" | "successDelayMs"
>;

/**
 * Starts an emulator and plays a recorded run into it: its ids, hashes, events and answers are the recorded ones, byte for byte.
 * Afterwards it serves, and its clock continues.
 *
 * @param file Recording of `startEmulator({ record })`.
 * @throws InvalidParameterError if the file holds no recording.
 * @throws ControlRefusedError that names the first line whose answer or state differs.
 *
 * @example
 * import { replayRun } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await replayRun("run.json", { chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   console.log(error);
 * }
 */
export async function replayRun(file: string, parameters: ReplayRunParameters = {}): StartEmulatorReturnType {
  assertStartParameters(parameters);
  const recording = await readRecording(file);
  return startWith({ ...parameters, ...recording.header.parameters }, playRun(recording));
}

type Recording = { readonly header: Header; readonly lines: readonly Line[] };

async function readRecording(file: string): Promise<Recording> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new InvalidParameterError({ cause, parameter: "file", reason: "the recording cannot be read" });
  });
  try {
    const [first, ...rest] = text.trimEnd().split("\n").map(fromJson);
    return { header: headerSchema.parse(first), lines: rest.map((line) => lineSchema.parse(line)) };
  } catch (cause) {
    throw new InvalidParameterError({ cause, parameter: "file", reason: "it holds no recording" });
  }
}

/** A run that plays a recording at its begin. Inputs from outside wait for its end; then the clock continues. */
function playRun({ header, lines }: Recording): Run {
  let time = header.at;
  let endedAt: number | undefined;
  const ended = Promise.withResolvers<void>();
  const now = () => (endedAt === undefined ? time : time + Date.now() - endedAt);
  let isBegun = false;
  const admit: Run["admit"] = async (_, act) => {
    if (isBegun) await ended.promise;
    return act();
  };
  return {
    admit,
    begin: async (running) => {
      isBegun = true;
      await running.settle();
      for (const [index, line] of lines.entries()) {
        time = line.at;
        await play(line, index, running);
      }
      endedAt = Date.now();
      ended.resolve();
    },
    close: async () => ended.resolve(),
    now,
    pace: { admit: (_, run) => admit({ kind: "tick" }, run, () => null), now },
    seed: header.seed,
    siteUrl: () => header.apiUrl,
    startAt: header.at,
  };
}

/** Plays a line. @throws ControlRefusedError if its answer or the state after it differs from the recorded one. */
async function play({ answer, input, state }: Line, index: number, running: Stageable): Promise<void> {
  const got = await running.perform(input).catch(() => failed);
  const after = await running.settle();
  const differs = toJson(got) === toJson(answer) ? (after === state ? undefined : "state") : "answer";
  if (differs === undefined) return;
  const what = input.kind === "http" ? `${input.method} ${input.path}` : input.kind;
  // The first line is the header.
  throw new ControlRefusedError(`Line ${index + 2} of the recording, ${what}, had another ${differs}.`);
}
