import type { Command } from "@commander-js/extra-typings";
import { readPort, readUrl } from "../flags/readFlags.ts";
import type { ServiceOptions } from "../settings/openService.ts";
import type { FlagsOf } from "../terminal/runCommand.ts";

/** Adds the flags of a listener. */
export const listenFlags = (command: Command) =>
  command
    .option("--forward-to <url>", "post each verified webhook there: the same bytes and headers", readUrl)
    .option("--port <port>", "port of the listener on 127.0.0.1 (default: a free one)", readPort)
    .option("--key-id <id>", "API key whose webhooks are received (default: the emulator's first)")
    .option("--replace", "replace the webhook that the key has; it is put back at the end")
    .option("--no-register", "only listen; you name the URL to the service yourself");

/** Flags of `waybill webhook listen`. */
export type ListenOptions = FlagsOf<typeof listenFlags> & ServiceOptions;
