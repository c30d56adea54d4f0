import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { serviceFlags } from "../settings/openService.ts";
import { withFlags, withWork } from "../terminal/runCommand.ts";

/** `waybill doctor`: checks the settings and a service. */
export function doctorCommand(): CommandUnknownOpts {
  const command = new Command("doctor")
    .description("check the settings, and a service's answers against the schemas")
    .addHelpText(
      "after",
      `
Reads only. A line a finding: ok, warn or fail, with a remedy. Exit code 1 if one fails. A service gets no key but its own.

Examples:
  waybill doctor
  waybill doctor --url https://api.relay.link
  waybill doctor --emulator emulator.json --json | jq 'select(.level != "ok")'`,
    );
  return withWork(withFlags(command, serviceFlags), async (terminal, options) => {
    const { runDoctor } = await import("./runDoctor.ts");
    return runDoctor(terminal, options);
  });
}
