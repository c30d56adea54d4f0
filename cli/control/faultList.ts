import { Command } from "commander";
import { openService, type ServiceOptions, withService } from "../settings/openService.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

/** `waybill fault list`: lists the faults of an emulator. */
export function faultListCommand(): Command {
  const command = new Command("list").description("list the faults that can still fire").addHelpText(
    "after",
    `
Examples:
  waybill fault list --emulator emulator.json
  waybill fault list --json | jq .faults[].spec.kind`,
  );
  return withWork<ServiceOptions, []>(withService(command), run);
}

async function run({ result, signal }: Terminal, options: ServiceOptions): Promise<void> {
  const service = await openService(options);
  const { callAdmin } = await import("./callAdmin.ts");
  const { faultsSchema, faultText } = await import("./faultSchema.ts");
  const call = {
    method: "GET",
    path: "/faults",
    schema: faultsSchema,
    signal,
    timeout: options.timeout,
  } as const;
  const answer = await callAdmin(service, call);
  const lines = answer.faults.map(faultText);
  result(answer, lines.length === 0 ? "No fault can fire." : lines.join("\n"));
}
