import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { serviceFlags } from "../settings/openService.ts";
import { withFlags, withWork } from "../terminal/runCommand.ts";

const doctorFlags = (command: Command) =>
  serviceFlags(command).option(
    "--quote",
    "ask for a quote too, which the service keeps as a waiting request",
  );

/** `waybill doctor`: checks the settings and a service. */
export function doctorCommand(): CommandUnknownOpts {
  const command = new Command("doctor")
    .description("check the settings, and a service's answers against the schemas")
    .addHelpText(
      "after",
      `
Leaves nothing on the service, except with --quote. A line a finding: ok, warn or fail, with a remedy. Exit code 1 if one fails. A service gets no key but its own.

Examples:
  waybill doctor
  waybill doctor --url https://api.relay.link
  waybill doctor --emulator emulator.json --json | jq 'select(.level != "ok")'`,
    );
  return withWork(withFlags(command, doctorFlags), async (terminal, options) => {
    const { runDoctor } = await import("./runDoctor.ts");
    return runDoctor(terminal, options);
  });
}
