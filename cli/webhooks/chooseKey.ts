import * as z from "zod";
import { callAdmin } from "../control/callAdmin.ts";
import type { Service } from "../settings/openService.ts";
import { checkFailed } from "../terminal/CommandError.ts";

const keysSchema = z.looseObject({ keys: z.array(z.looseObject({ id: z.string() })) });

/** How to call an emulator. */
export type AdminOptions = { readonly signal: AbortSignal; readonly timeout: number | undefined };

/**
 * Id of the API key whose webhooks are meant: the given one, else that of the API key in use, else the emulator's first.
 */
export async function chooseKey(
  service: Service,
  given: string | undefined,
  options: AdminOptions,
): Promise<string> {
  const inUse = service.emulator?.apiKeys.find(({ key }) => key === service.client.apiKey);
  const known = given ?? inUse?.id;
  if (known !== undefined) return known;
  const { keys } = await callAdmin(service, {
    ...options,
    method: "GET",
    path: "/keys",
    schema: keysSchema,
  });
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
