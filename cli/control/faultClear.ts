import { Command } from "commander";
import { openService, type ServiceOptions, withService } from "../settings/openService.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

/** `waybill fault clear`: removes faults of an emulator. */
export function faultClearCommand(): Command {
  const command = new Command("clear")
    .description("remove one fault, or all of them")
    .argument("[id]", "id of the fault, as `waybill fault list` shows it (default: all)")
    .addHelpText(
      "after",
      `
Examples:
  waybill fault clear --emulator emulator.json
  waybill fault clear fault-3 --emulator emulator.json`,
    );
  return withWork<ServiceOptions, [string | undefined]>(withService(command), run);
}

async function run(
  { result, signal }: Terminal,
  options: ServiceOptions,
  id: string | undefined,
): Promise<void> {
  const service = await openService(options);
  const z = await import("zod");
  const { callAdmin } = await import("./callAdmin.ts");
  const path = id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`;
  const schema = z.looseObject({});
  await callAdmin(service, { method: "DELETE", path, schema, signal, timeout: options.timeout });
  result({ removed: id ?? "all" }, id === undefined ? "All faults are removed." : `Fault ${id} is removed.`);
}
