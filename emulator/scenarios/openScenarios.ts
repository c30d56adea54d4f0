import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";
import { ControlRefusedError } from "../errors/refusals.ts";
import { catalogue, type Entry } from "./catalogue.ts";
import type { ScenarioInfo, ScenarioResult, Scenarios, Stage } from "./Scenario.ts";
import { type Theatre, withStage } from "./stage/openStage.ts";
import { describeRequest, reached } from "./stage/readRequest.ts";

/** Opens the scenarios of a running emulator. */
export function openScenarios({
  stopped,
  ...theatre
}: Theatre & {
  /** Aborts the runs when the emulator stops. */
  readonly stopped: AbortSignal;
}): Scenarios {
  let last: Promise<unknown> = Promise.resolve();
  return {
    list: async () => [...catalogue].map(([name, entry]) => infoOf(name, entry)),
    run: async (name, { apiKeyId, signal: given } = {}) => {
      const entry = catalogue.get(name);
      if (entry === undefined) {
        const reason = `there is no scenario ${JSON.stringify(name.slice(0, 100))}; \`list\` names all`;
        throw new InvalidParameterError({ parameter: "name", reason });
      }
      const signal = given === undefined ? stopped : AbortSignal.any([given, stopped]);
      const turn = last.then(() => {
        signal.throwIfAborted();
        return withStage(theatre, { apiKeyId, name, signal }, (stage) => play(stage, name, entry));
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function infoOf(name: string, { cause, sentence }: Entry): ScenarioInfo {
  return { cause, name, sentence };
}

async function play(stage: Stage, name: string, entry: Entry): Promise<ScenarioResult> {
  const info = infoOf(name, entry);
  if (entry.kind === "quote") {
    const { body, status } = await entry.play(stage);
    const { errorCode, message } = body as { errorCode?: string; message?: string };
    if (errorCode !== entry.errorCode) {
      throw new ControlRefusedError(`The quote of ${name} came out differently: ${errorCode ?? status}.`);
    }
    return { ...info, body, errorCode, httpStatus: status, kind: "quote", message: message ?? "" };
  }
  const played = await entry.play(stage);
  await reached(stage, played.requestId, entry.status, "success", "failure", "refund");
  const result = { ...info, ...(await describeRequest(stage, played)) };
  const { failReason, refundFailReason, status } = result;
  const isAsNamed =
    status === entry.status &&
    failReason === (entry.failReason ?? failReason) &&
    refundFailReason === (entry.refundFailReason ?? refundFailReason);
  if (isAsNamed) return result;
  const reasons = [status, failReason, refundFailReason].filter((part) => part !== null).join(", ");
  throw new ControlRefusedError(`Scenario ${name} came out differently: ${reasons}.`);
}
