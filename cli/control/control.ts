import {
  Argument,
  Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
} from "@commander-js/extra-typings";
import type { FaultKind } from "../../emulator/control/faults/faultSpec.ts";
import { printable } from "../../src/errors/printable.ts";
import { readMoment, readSeconds } from "../flags/readFlags.ts";
import { withService } from "../settings/openService.ts";

/** `waybill clock`: shows or moves the clock of an emulator, of its API and chains at once. */
export function clockCommand(): CommandUnknownOpts {
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
  return withService(command, async ({ result, service, signal }, options) => {
    const z = await import("zod/mini");
    const { advance, freeze, resume, set } = options;
    const frozen = freeze === true ? true : resume === true ? false : undefined;
    const change = { advance, frozen, set };
    const isChange = Object.values(change).some((value) => value !== undefined);
    const { isFrozen, now } = await service.admin({
      ...(isChange ? { body: change, method: "POST" as const } : { method: "GET" as const }),
      path: "/clock",
      schema: z.looseObject({ isFrozen: z.boolean(), now: z.int() }),
      signal,
    });
    result({ isFrozen, now }, `${new Date(now).toISOString()}  ${isFrozen ? "frozen" : "running"}`);
  });
}

/** `waybill fault`: faults of a running emulator. */
export function faultCommand(): CommandUnknownOpts {
  return new Command("fault")
    .description("add, list and clear the faults of a running emulator")
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(clearCommand());
}

/** Every kind of fault. The emulator's schema is not loaded for `--help`. */
const faultKinds: Readonly<Record<FaultKind, string>> = {
  "delivery-dropped": "a webhook or websocket message is lost (channel, status)",
  "delivery-duplicated": "a message is repeated (channel, status)",
  "delivery-reordered": "a message is sent two seconds late (channel, status)",
  "deposit-ignored": "a deposit is seen late (delayMs)",
  "fill-fails": "the deposit is refunded (failReason)",
  "fill-slow": "a fill is late (delayMs)",
  "fill-unconfirmed": "a fill stays submitted (delayMs)",
  "quote-refused": "a quote is refused (errorCode, message)",
  "refund-rejected": "no refund: the request ends in failure (refundFailReason)",
  "route-broken": "a route answers with an error (status, path)",
  "route-limited": "a route answers 429 (path)",
  "route-slow": "a route answers late (delayMs, path)",
  "signed-deposit-slow": "the deposit of a signature is late (delayMs)",
  "solver-broke": "fills fail with SOLVER_BALANCE_TOO_LOW (destinationChainId, currency)",
  "transient-failure": "a failed request shows failure before its refund (delayMs)",
};

type Field = readonly [name: string, value: unknown];

function addCommand(): CommandUnknownOpts {
  const command = new Command("add")
    .description("add a fault, which fires at the next occasion")
    .argument("<kind>", "kind of fault, such as fill-fails")
    .addArgument(
      new Argument("[fields...]", "fields of the fault, as in failReason=SLIPPAGE count=2")
        .argParser((text: string, before: readonly Field[] = []) => [...before, readField(text)])
        .default([]),
    )
    .addHelpText(
      "after",
      `
Kinds:
${Object.entries(faultKinds)
  .map(([kind, text]) => `  ${kind.padEnd(20)}${text}`)
  .join("\n")}

Examples:
  waybill fault add fill-fails failReason=SLIPPAGE --emulator emulator.json
  waybill fault add route-limited path=/quote/v2 count=5
  waybill fault add fill-slow delayMs=5000 requestId=0x9101…8e2a --json`,
    );
  return withService(command, async ({ result, service, signal }, _, kind, fields) => {
    const body = { ...Object.fromEntries(fields), kind };
    const schema = await faultSchema();
    const call = { body, method: "POST", path: "/faults", schema, signal } as const;
    const fault = await service.admin(call);
    result(fault, faultText(fault));
  });
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

function listCommand(): CommandUnknownOpts {
  const command = new Command("list").description("list the faults that can still fire").addHelpText(
    "after",
    `
Examples:
  waybill fault list --emulator emulator.json
  waybill fault list --json | jq .faults[].spec.kind`,
  );
  return withService(command, async ({ result, service, signal }, _) => {
    const z = await import("zod/mini");
    const schema = z.looseObject({ faults: z.array(await faultSchema()) });
    const answer = await service.admin({ method: "GET", path: "/faults", schema, signal });
    const lines = answer.faults.map(faultText);
    result(answer, lines.length === 0 ? "No fault can fire." : lines.join("\n"));
  });
}

function clearCommand(): CommandUnknownOpts {
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
  return withService(command, async ({ result, service, signal }, _, id) => {
    const z = await import("zod/mini");
    const path = id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`;
    await service.admin({ method: "DELETE", path, schema: z.looseObject({}), signal });
    const text = id === undefined ? "All faults are removed." : `Fault ${id} is removed.`;
    result({ removed: id ?? "all" }, text);
  });
}

/** A fault as the emulator answers it. */
async function faultSchema() {
  const z = await import("zod/mini");
  return z.looseObject({ fired: z.int(), id: z.string(), spec: z.looseObject({ kind: z.string() }) });
}

type Fault = { readonly fired: number; readonly id: string; readonly spec: { readonly kind: string } };

/** A fault in one line: id, kind, fields, and how often it fired. */
function faultText({ fired, id, spec: { kind, ...fields } }: Fault): string {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return printable([id, kind, ...shown, `fired ${fired}`].join("  "));
}
