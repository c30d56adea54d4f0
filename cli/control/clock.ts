import { Command, Option } from "commander";
import { readMoment } from "../flags/readMoment.ts";
import { readSeconds } from "../flags/readSeconds.ts";
import { openService, type ServiceOptions, withService } from "../settings/openService.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

type Options = ServiceOptions & {
  readonly advance?: number;
  readonly freeze?: boolean;
  readonly resume?: boolean;
  readonly set?: number;
};

/** `waybill clock`: shows or moves the clock of an emulator, of its API and chains at once. */
export function clockCommand(): Command {
  const command = new Command("clock")
    .description("show or move the clock of a running emulator, which API and chains follow")
    .addOption(
      new Option("--set <time>", "a date in ISO 8601, or unix seconds")
        .argParser(readMoment)
        .conflicts("advance"),
    )
    .option("--advance <seconds>", "move it forward", readSeconds)
    .addOption(new Option("--freeze", "stop it").conflicts("resume"))
    .option("--resume", "let it run again")
    .addHelpText(
      "after",
      `
Examples:
  waybill clock --emulator emulator.json
  waybill clock --advance 3600 --emulator emulator.json
  waybill clock --set 2026-11-23T23:59:00Z --freeze --json`,
    );
  return withWork<Options, []>(withService(command), run);
}

async function run({ result, signal }: Terminal, options: Options): Promise<void> {
  const service = await openService(options);
  const z = await import("zod");
  const { callAdmin } = await import("./callAdmin.ts");
  const { advance, freeze, resume, set, timeout } = options;
  const frozen = freeze === true ? true : resume === true ? false : undefined;
  const change = { advance, frozen, set };
  const isChange = Object.values(change).some((value) => value !== undefined);
  const { isFrozen, now } = await callAdmin(service, {
    ...(isChange ? { body: change, method: "POST" as const } : { method: "GET" as const }),
    path: "/clock",
    schema: z.looseObject({ isFrozen: z.boolean(), now: z.int() }),
    signal,
    timeout,
  });
  result({ isFrozen, now }, `${new Date(now).toISOString()}  ${isFrozen ? "frozen" : "running"}`);
}
