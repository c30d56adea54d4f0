import { Command } from "commander";
import { webhookListenCommand } from "./webhookListen.ts";
import { webhookResendCommand } from "./webhookResend.ts";
import { webhookTriggerCommand } from "./webhookTrigger.ts";

/** `waybill webhook`: webhooks of a running emulator. */
export function webhookCommand(): Command {
  return new Command("webhook")
    .description("receive, trigger and repeat the webhooks of a running emulator")
    .addCommand(webhookListenCommand())
    .addCommand(webhookTriggerCommand())
    .addCommand(webhookResendCommand());
}
