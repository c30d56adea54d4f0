import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { replaceFile } from "../settings/replaceFile.ts";
import { usageError } from "../terminal/CommandError.ts";

/** A webhook as an emulator takes it. */
export const webhookSchema = z.object({
  headers: z.record(z.string(), z.string()),
  isEnabled: z.boolean(),
  url: z.string(),
});

/** Settings of a webhook. Headers may be credentials. */
export type WebhookSettings = z.output<typeof webhookSchema>;

/** Age from which a file is removed, in milliseconds: its emulator is gone. */
const longestKept = 90 * 86_400_000;

/** Files of this user: `$XDG_STATE_HOME/waybill/webhooks`, by default in `~/.local/state`. */
function folderOfState(): string {
  const { XDG_STATE_HOME: state } = process.env;
  return join(state || join(homedir(), ".local", "state"), "waybill", "webhooks");
}

/** A listener's URL ends with digits that no other one has: they name its file. */
function fileOf(listenerUrl: string): string | undefined {
  const [, token] = /\/([0-9a-f]{32})$/.exec(listenerUrl) ?? [];
  return token === undefined ? undefined : join(folderOfState(), `${token}.json`);
}

/**
 * Keeps the webhook that a listener replaces on this machine, for the listener after a kill. The emulator cannot keep it: it would
 * post the headers to whatever program takes the port of a killed listener.
 *
 * @throws CommandError if the folder cannot be written.
 */
export function saveSetAside(listenerUrl: string, webhook: WebhookSettings): void {
  const file = fileOf(listenerUrl);
  if (file === undefined) throw new Error("a listener without a token");
  const folder = folderOfState();
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    removeOld(folder);
    replaceFile(file, `${JSON.stringify(webhook)}\n`);
  } catch (cause) {
    throw usageError(`${folder} cannot be written, so the webhook cannot be kept there meanwhile.`, cause);
  }
}

/** Reads the webhook that a listener set aside; `undefined` without one. */
export function readSetAside(listenerUrl: string): WebhookSettings | undefined {
  const file = fileOf(listenerUrl);
  if (file === undefined) return undefined;
  try {
    return webhookSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** Removes the file of a listener that put its webhook back. */
export function dropSetAside(listenerUrl: string): void {
  const file = fileOf(listenerUrl);
  if (file !== undefined) rmSync(file, { force: true });
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > longestKept) rmSync(file, { force: true });
  }
}
