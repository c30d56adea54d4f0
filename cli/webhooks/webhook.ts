import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { docsRoot } from "../../src/errors/docsRoot.ts";
import { printable } from "../../src/errors/printable.ts";
import { parserOf, readPort } from "../flags/readFlags.ts";
import { serviceFlags, withService } from "../settings/openService.ts";
import { checkFailed } from "../terminal/CommandError.ts";
import { withFlags, withWork } from "../terminal/runCommand.ts";

/** Scenarios mine blocks and wait for outcomes, in milliseconds. */
const usualTimeout = 120_000;
/** Statuses of one request, with room for many changes. */
const mostDeliveries = 50;

const readName = parserOf(
  /^[a-z0-9-]{1,60}\/[a-z0-9-]{1,60}$/,
  "A scenario is outcome and reason, as in refund/slippage.",
  ([text]) => text,
);
const readId = parserOf(
  /^(?:[1-9]\d{0,14}|0x[0-9a-fA-F]{64})$/,
  "A delivery is a number, and a request id is 0x and 64 hexadecimal digits.",
  ([text]) => text.toLowerCase(),
);

/** fetch refuses a URL with a user or a password. */
const readTarget = parserOf(
  /^https?:.*$/i,
  "A target begins with http:// or https://, and has no user or password.",
  ([text]) =>
    URL.canParse(text) && new URL(text).username + new URL(text).password === "" ? text : undefined,
);

/** `waybill webhook`: webhooks of a running emulator. */
export function webhookCommand(): CommandUnknownOpts {
  return new Command("webhook")
    .description("receive, trigger and repeat the webhooks of a running emulator")
    .addCommand(listenCommand())
    .addCommand(triggerCommand())
    .addCommand(resendCommand());
}

const listenFlags = (command: Command) =>
  command
    .option(
      "--forward-to <url>",
      "post each verified webhook there: the same bytes, type and signature",
      readTarget,
    )
    .option("--port <port>", "port of the listener on 127.0.0.1 (default: a free one)", readPort)
    .option("--key-id <id>", "API key whose webhooks are received (default: the emulator's first)")
    .option("--replace", "replace the webhook that the key has; it is put back at the end")
    .option("--no-register", "only listen; you name the URL to the service yourself");

/** Receives webhooks, verifies and shows them, and forwards them. */
function listenCommand(): CommandUnknownOpts {
  const command = new Command("listen")
    .description("receive webhooks on this machine: verify, show and forward each")
    .addHelpText(
      "after",
      `
The answer of the URL is the answer to the service, which decides about retries. Signatures are verified by the API key:
--emulator, WAYBILL_API_KEY or the configuration.

Examples:
  waybill webhook listen --forward-to http://127.0.0.1:3000/webhooks --emulator emulator.json
  waybill webhook listen --emulator emulator.json --json | jq -r .status
  waybill webhook listen --no-register --port 4040 --forward-to http://127.0.0.1:3000/webhooks`,
    );
  return withWork(
    withFlags(withFlags(command, listenFlags), serviceFlags),
    async (terminal, options) => {
      const { listen } = await import("./listen.ts");
      await listen(terminal, options);
    },
    { isServer: true },
  );
}

/** Runs a scenario, whose webhooks are posted. */
function triggerCommand(): CommandUnknownOpts {
  const command = new Command("trigger")
    .description("run a scenario of an emulator, so that its webhooks are posted")
    .addArgument(
      new Argument("<scenario>", `such as status/success; all: ${docsRoot}reference/scenarios.md`).argParser(
        readName,
      ),
    )
    .option("--key-id <id>", "API key that owns the request and gets the webhooks (default: the first)")
    .addHelpText(
      "after",
      `
Examples:
  waybill webhook trigger status/success --emulator emulator.json
  waybill webhook trigger refund/slippage --emulator emulator.json --json | jq -r .requestId`,
    );
  return withService(command, async ({ result, service, signal }, options, name) => {
    const z = await import("zod/mini");
    const schema = z.looseObject({
      events: z.optional(z.array(z.looseObject({ status: z.string() }))),
      message: z.optional(z.string()),
      requestId: z.optional(z.string()),
      sentence: z.string(),
    });
    const { keyId, timeout = usualTimeout } = options;
    const body = keyId === undefined ? {} : { apiKeyId: keyId };
    const path = `/scenarios/${name}/run`;
    const ran = await service.admin({ body, method: "POST", path, schema, signal, timeout });
    const statuses = (ran.events ?? []).map(({ status }) => status);
    const outcome =
      ran.requestId === undefined
        ? `the quote is refused: ${ran.message}. No webhook follows`
        : `${ran.requestId}  ${statuses.join(" → ")}`;
    result(ran, printable(`${name}  ${outcome}`));
  });
}

/** Posts deliveries again. */
function resendCommand(): CommandUnknownOpts {
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
  return withService(command, async ({ line, service, signal }, options, id) => {
    const z = await import("zod/mini");
    const { chooseKey, webhookPath } = await import("./registerListener.ts");
    const { keyId } = options;
    const delivery = z.looseObject({
      id: z.int(),
      requestId: z.string(),
      state: z.string(),
      status: z.string(),
    });
    const path = `${webhookPath(await chooseKey(service, keyId, signal))}/deliveries`;
    let ids = [id];
    if (id.startsWith("0x")) {
      const { deliveries } = await service.admin({
        method: "GET",
        path: `${path}?kind=event&limit=${mostDeliveries}&requestId=${id}`,
        schema: z.looseObject({ deliveries: z.array(delivery) }),
        signal,
      });
      // Newest first on the wire; the receiver gets them in the order of the statuses.
      ids = deliveries.map((each) => String(each.id)).toReversed();
      if (ids.length === 0) throw checkFailed(`Request ${id} has no deliveries.`, "DELIVERY_NOT_FOUND");
    }
    for (const each of ids) {
      const call = { body: {}, method: "POST", path: `${path}/${each}/resend`, signal } as const;
      const sent = await service.admin({ ...call, schema: delivery });
      line(sent, printable(`${sent.id}  ${sent.requestId}  ${sent.status}  repeats ${each}`));
    }
  });
}
