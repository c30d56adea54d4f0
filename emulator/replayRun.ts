import { playRun, readRecording } from "./recording/playRun.ts";
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
