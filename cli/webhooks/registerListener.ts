import * as z from "zod/mini";
import { HttpError } from "../../src/errors/HttpError.ts";
import { redactUrl } from "../../src/errors/redactUrls.ts";
import type { Service } from "../settings/openService.ts";
import { checkFailed, usageError } from "../terminal/CommandError.ts";
import type { Terminal } from "../terminal/Terminal.ts";

const keysSchema = z.looseObject({ keys: z.array(z.looseObject({ id: z.string() })) });

/**
 * Id of the API key whose webhooks are meant: the given one, else that of the API key in use, else the emulator's first.
 */
export async function chooseKey(
  service: Service,
  given: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const inUse = service.emulator?.apiKeys.find(({ key }) => key === service.client.apiKey);
  const known = given ?? inUse?.id;
  if (known !== undefined) return known;
  const { keys } = await service.admin({ method: "GET", path: "/keys", schema: keysSchema, signal });
  const [first] = keys;
  if (first !== undefined) return first.id;
  throw checkFailed("The emulator has no API key.", "KEY_NOT_FOUND");
}

/** The key that signs the webhooks of an id, as far as the emulator's file names it; else the API key in use. */
export function secretOf({ client, emulator }: Service, keyId: string | undefined): string | undefined {
  return emulator?.apiKeys.find(({ id }) => id === keyId)?.key ?? client.apiKey;
}

/** Path of a key's webhook, below `/admin`. */
export const webhookPath = (keyId: string): string => `/keys/${encodeURIComponent(keyId)}/webhook`;

/** Beginning of every listener's path: a registration of a listener that was killed is known by it. */
export const listenerPath = "/waybill-webhook-listener/";

/** A webhook as an emulator takes it. */
const webhookSchema = z.object({
  headers: z.record(z.string(), z.string()),
  isEnabled: z.boolean(),
  url: z.string(),
});

/** Settings of a webhook. Headers may be credentials. */
type WebhookSettings = z.output<typeof webhookSchema>;

type Options = Pick<Terminal, "note" | "signal"> & {
  readonly keyId: string;
  readonly replace?: boolean | undefined;
  readonly timeout?: number | undefined;
};

/**
 * Makes a URL the webhook of an API key of an emulator. What the key had is put back at the end: the emulator does not keep it,
 * because it would post the headers to whatever program takes the port of a killed listener.
 *
 * @returns Puts back what the key had.
 * @throws CommandError if the key has another webhook, unless `replace`.
 */
export async function registerListener(
  service: Pick<Service, "admin">,
  url: string,
  { keyId, note, replace = false, signal, timeout }: Options,
): Promise<() => Promise<void>> {
  const path = webhookPath(keyId);
  const read = (stop: AbortSignal) =>
    service.admin({ method: "GET", path, schema: webhookSchema, signal: stop }).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 404) return undefined;
      throw error;
    });
  const put = (body: Partial<WebhookSettings>, stop: AbortSignal) =>
    service.admin({ body, method: "PUT", path, schema: webhookSchema, signal: stop });
  const found = await read(signal);
  // A listener that was killed left its own.
  const earlier = found !== undefined && isListener(found.url) ? undefined : found;
  if (earlier !== undefined && !replace) {
    const shown = redactUrl(earlier.url);
    throw usageError(`The API key has a webhook already, ${shown}: --replace puts it aside meanwhile.`);
  }
  const end = async () => {
    // The stop has fired already; the end has a signal of its own.
    const stop = AbortSignal.timeout(timeout ?? 5_000);
    const current = await read(stop).catch(() => {
      const lost = earlier === undefined ? "" : `: set its webhook ${redactUrl(earlier.url)} again`;
      note(`The emulator does not answer${lost}.`);
    });
    // A later listener, or a user, may have replaced this one.
    if (current?.url !== url) return;
    if (earlier !== undefined) await put(earlier, stop);
    else await service.admin({ method: "DELETE", path, schema: z.unknown(), signal: stop });
  };
  try {
    await put({ url }, signal);
  } catch (error) {
    // The emulator may have taken it.
    await end().catch(() => undefined);
    throw error;
  }
  return end;
}

const isListener = (url: string) => URL.canParse(url) && new URL(url).pathname.startsWith(listenerPath);
