import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { withService } from "../settings/openService.ts";

/** `waybill console`: the address of a running emulator's console, with the admin key in its fragment. */
export function consoleCommand(): CommandUnknownOpts {
  const command = new Command("console")
    .description("print the address of a running emulator's console")
    .addHelpText(
      "after",
      `
The address ends in the admin key. Browsers send that part to no server; the console removes it from the address at once.

Examples:
  waybill console --emulator emulator.json
  xdg-open "$(waybill console --emulator emulator.json)"`,
    );
  return withService(command, async ({ result, service }) => {
    const url = consoleAddress(`${service.url}/console`, service.adminKey());
    result({ url }, url);
  });
}

/** The console's address for one tab of a browser. */
export function consoleAddress(consoleUrl: string, adminKey: string): string {
  return `${consoleUrl}#key=${encodeURIComponent(adminKey)}`;
}
