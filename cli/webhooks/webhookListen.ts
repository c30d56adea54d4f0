import { Command } from "commander";
import { readPort } from "../flags/readPorts.ts";
import { readUrl } from "../flags/readUrl.ts";
import { withService } from "../settings/openService.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { ListenOptions } from "./ListenOptions.ts";

/** `waybill webhook listen`: receives webhooks, verifies and shows them, and forwards them. */
export function webhookListenCommand(): Command {
  const command = new Command("listen")
    .description("receive webhooks on this machine: verify, show and forward each")
    .option("--forward-to <url>", "post each verified webhook there: the same bytes and headers", readUrl)
    .option("--port <port>", "port of the listener on 127.0.0.1 (default: a free one)", readPort)
    .option("--key-id <id>", "API key whose webhooks are received (default: the emulator's first)")
    .option("--replace", "replace the webhook that the key has; it is put back at the end")
    .option("--no-register", "only listen; you name the URL to the service yourself")
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
  return withWork<ListenOptions, []>(
    withService(command),
    async (terminal, options) => {
      const { listen } = await import("./listen.ts");
      await listen(terminal, options);
    },
    { isServer: true },
  );
}
