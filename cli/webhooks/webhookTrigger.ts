import { Argument, Command, InvalidArgumentError } from "commander";
import { printable } from "../../src/errors/printable.ts";
import { openService, type ServiceOptions, withService } from "../settings/openService.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

type Options = ServiceOptions & { readonly keyId?: string };

/** Scenarios mine blocks and wait for outcomes, in milliseconds. */
const usualTimeout = 120_000;

/** `waybill webhook trigger`: runs a scenario, whose webhooks are posted. */
export function webhookTriggerCommand(): Command {
  const command = new Command("trigger")
    .description("run a scenario of an emulator, so that its webhooks are posted")
    .addArgument(
      new Argument("<scenario>", "such as status/success; docs/scenarios.md lists them").argParser(readName),
    )
    .option("--key-id <id>", "API key that owns the request and gets the webhooks (default: the first)")
    .addHelpText(
      "after",
      `
Examples:
  waybill webhook trigger status/success --emulator emulator.json
  waybill webhook trigger refund/slippage --emulator emulator.json --json | jq -r .requestId`,
    );
  return withWork<Options, [string]>(withService(command), run);
}

async function run({ result, signal }: Terminal, options: Options, name: string): Promise<void> {
  const service = await openService(options);
  const z = await import("zod");
  const { callAdmin } = await import("../control/callAdmin.ts");
  const schema = z.looseObject({
    events: z.array(z.looseObject({ status: z.string() })).optional(),
    message: z.string().optional(),
    requestId: z.string().optional(),
    sentence: z.string(),
  });
  const { keyId, timeout = usualTimeout } = options;
  const body = keyId === undefined ? {} : { apiKeyId: keyId };
  const path = `/scenarios/${name}/run`;
  const ran = await callAdmin(service, { body, method: "POST", path, schema, signal, timeout });
  const statuses = (ran.events ?? []).map(({ status }) => status);
  const outcome =
    ran.requestId === undefined
      ? `the quote is refused: ${ran.message}. No webhook follows`
      : `${ran.requestId}  ${statuses.join(" → ")}`;
  result(ran, printable(`${name}  ${outcome}`));
}

function readName(value: string): string {
  if (/^[a-z0-9-]{1,60}\/[a-z0-9-]{1,60}$/.test(value)) return value;
  throw new InvalidArgumentError("A scenario is outcome and reason, as in refund/slippage.");
}
