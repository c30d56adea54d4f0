import { Argument, Command, InvalidArgumentError } from "commander";
import { openService, type ServiceOptions, withService } from "../settings/openService.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

type Field = readonly [name: string, value: unknown];

/** `waybill fault add`: adds a fault to an emulator. */
export function faultAddCommand(): Command {
  const command = new Command("add")
    .description("add a fault, which fires at the next occasion")
    .argument("<kind>", "kind of fault, such as fill-fails; docs/control.md lists them")
    .addArgument(
      new Argument("[fields...]", "fields of the fault, as in failReason=SLIPPAGE count=2")
        .argParser((text: string, before: readonly Field[] = []) => [...before, readField(text)])
        .default([]),
    )
    .addHelpText(
      "after",
      `
Examples:
  waybill fault add fill-fails failReason=SLIPPAGE --emulator emulator.json
  waybill fault add route-limited path=/quote/v2 count=5
  waybill fault add fill-slow delayMs=5000 requestId=0x9101…8e2a --json`,
    );
  return withWork<ServiceOptions, [string, readonly Field[]]>(withService(command), run);
}

async function run(
  { result, signal }: Terminal,
  options: ServiceOptions,
  kind: string,
  fields: readonly Field[],
): Promise<void> {
  const service = await openService(options);
  const { callAdmin } = await import("./callAdmin.ts");
  const { faultSchema, faultText } = await import("./faultSchema.ts");
  const fault = await callAdmin(service, {
    body: { ...Object.fromEntries(fields), kind },
    method: "POST",
    path: "/faults",
    schema: faultSchema,
    signal,
    timeout: options.timeout,
  });
  result(fault, faultText(fault));
}

/** Numbers and JSON objects are values of that kind; everything else is text. */
function readField(text: string): Field {
  const [, name = "", value = ""] = /^([a-zA-Z]{1,40})=(.+)$/s.exec(text) ?? [];
  if (name === "")
    throw new InvalidArgumentError("A field is a name and a value, as in failReason=SLIPPAGE.");
  if (/^\d{1,15}$|^0\.\d{1,15}$/.test(value)) return [name, Number(value)];
  if (!value.startsWith("{")) return [name, value];
  try {
    return [name, JSON.parse(value)];
  } catch {
    throw new InvalidArgumentError(`The value of ${name} is not JSON.`);
  }
}
