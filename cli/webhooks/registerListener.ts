import * as z from "zod";
import { HttpError } from "../../src/errors/HttpError.ts";
import { callAdmin } from "../control/callAdmin.ts";
import type { Service } from "../settings/openService.ts";
import { usageError } from "../terminal/CommandError.ts";
import { type AdminOptions, webhookPath } from "./chooseKey.ts";

/** Beginning of every listener's path: a registration of a listener that was killed is known by it. */
export const listenerPath = "/waybill-webhook-listener/";

const webhookSchema = z.looseObject({
  headers: z.record(z.string(), z.string()),
  isEnabled: z.boolean(),
  url: z.string(),
});

type Options = Pick<AdminOptions, "signal"> & {
  readonly keyId: string;
  readonly replace?: boolean;
  readonly timeout?: number;
};

/**
 * Makes a URL the webhook of an API key of an emulator.
 *
 * @returns Puts back what the key had.
 * @throws CommandError if the key has another webhook, unless `replace`.
 */
export async function registerListener(
  service: Service,
  url: string,
  { keyId, replace = false, signal, timeout }: Options,
): Promise<() => Promise<void>> {
  const path = webhookPath(keyId);
  const call = { path, timeout };
  const earlier = await callAdmin(service, { ...call, method: "GET", schema: webhookSchema, signal }).catch(
    (error: unknown) => {
      if (error instanceof HttpError && error.status === 404) return undefined;
      throw error;
    },
  );
  const isOwn = earlier !== undefined && new URL(earlier.url).pathname.startsWith(listenerPath);
  if (earlier !== undefined && !isOwn && !replace) {
    throw usageError(`The API key has a webhook already, ${earlier.url}: --replace puts it aside meanwhile.`);
  }
  await callAdmin(service, { ...call, body: { url }, method: "PUT", schema: webhookSchema, signal });
  return async () => {
    // The stop has fired already; the end has a signal of its own.
    const ending = { ...call, signal: AbortSignal.timeout(timeout ?? 5_000) };
    const current = await callAdmin(service, { ...ending, method: "GET", schema: webhookSchema }).catch(
      () => undefined,
    );
    // A later listener has replaced this one.
    if (current?.url !== url) return;
    if (earlier === undefined || isOwn) {
      await callAdmin(service, { ...ending, method: "DELETE", schema: z.unknown() });
      return;
    }
    const { headers, isEnabled, url: before } = earlier;
    const body = { headers, isEnabled, url: before };
    await callAdmin(service, { ...ending, body, method: "PUT", schema: webhookSchema });
  };
}
