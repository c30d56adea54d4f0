import { Argument, Command, InvalidArgumentError } from "commander";
import { printable } from "../../src/errors/printable.ts";
import { openService, type ServiceOptions, withService } from "../settings/openService.ts";
import { checkFailed } from "../terminal/CommandError.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

type Options = ServiceOptions & { readonly keyId?: string };

/** Statuses of one request, with room for many changes. */
const mostDeliveries = 50;

/** `waybill webhook resend`: posts deliveries again. */
export function webhookResendCommand(): Command {
  const command = new Command("resend")
    .description("post a delivery again, or every event of a request: the same bytes, newly signed")
    .addArgument(
      new Argument("<id>", "number of a delivery, or a request id: 0x and 64 digits").argParser(readId),
    )
    .option("--key-id <id>", "API key of the deliveries (default: the first)")
    .addHelpText(
      "after",
      `
Examples:
  waybill webhook resend 12 --emulator emulator.json
  waybill webhook resend 0x9101…8e2a --emulator emulator.json --json`,
    );
  return withWork<Options, [string]>(withService(command), run);
}

async function run({ line, signal }: Terminal, options: Options, id: string): Promise<void> {
  const service = await openService(options);
  const z = await import("zod");
  const { callAdmin } = await import("../control/callAdmin.ts");
  const { chooseKey, webhookPath } = await import("./chooseKey.ts");
  const delivery = z.looseObject({
    id: z.int(),
    requestId: z.string(),
    state: z.string(),
    status: z.string(),
  });
  const { keyId, timeout } = options;
  const path = `${webhookPath(await chooseKey(service, keyId, { signal, timeout }))}/deliveries`;
  let ids = [id];
  if (id.startsWith("0x")) {
    const { deliveries } = await callAdmin(service, {
      method: "GET",
      path: `${path}?kind=event&limit=${mostDeliveries}&requestId=${id}`,
      schema: z.looseObject({ deliveries: z.array(delivery) }),
      signal,
      timeout,
    });
    // Newest first on the wire; the receiver gets them in the order of the statuses.
    ids = deliveries.map((each) => String(each.id)).toReversed();
    if (ids.length === 0) throw checkFailed(`Request ${id} has no deliveries.`, "DELIVERY_NOT_FOUND");
  }
  for (const each of ids) {
    const sent = await callAdmin(service, {
      body: {},
      method: "POST",
      path: `${path}/${each}/resend`,
      schema: delivery,
      signal,
      timeout,
    });
    line(sent, printable(`${sent.id}  ${sent.requestId}  ${sent.status}  repeats ${each}`));
  }
}

function readId(value: string): string {
  if (/^[1-9]\d{0,14}$/.test(value)) return value;
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError("A delivery is a number, and a request id is 0x and 64 hexadecimal digits.");
}
