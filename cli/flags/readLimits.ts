import { InvalidArgumentError } from "commander";
import type { StartEmulatorParameters } from "../../emulator/index.ts";

type ClientLimits = NonNullable<StartEmulatorParameters["clientLimits"]>;

const names = { answer: "answerMs", header: "headersMs", idle: "idleMs", request: "requestMs" } as const;
/** One hour, in seconds. */
const longestSeconds = 3_600;

/** Parses the time limits of clients, in seconds: `request=30,answer=60`. */
export function readLimits(value: string): ClientLimits {
  const limits: { -readonly [Key in keyof ClientLimits]: ClientLimits[Key] } = {};
  for (const part of value.split(",")) {
    const [, name = "", seconds = ""] = /^([a-z]+)=(\d{1,4}(?:\.\d{1,3})?)$/.exec(part) ?? [];
    const key = Object.hasOwn(names, name) ? names[name as keyof typeof names] : undefined;
    const number = Number(seconds);
    if (key === undefined || number <= 0 || number > longestSeconds) {
      throw new InvalidArgumentError(
        "Limits are header, request, answer and idle with seconds up to 3600, as in request=30,answer=60.",
      );
    }
    limits[key] = number * 1_000;
  }
  return limits;
}
