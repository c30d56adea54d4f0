import * as z from "zod";
import { callAdmin } from "../control/callAdmin.ts";
import type { Service } from "../settings/openService.ts";
import { checkFailed } from "../terminal/CommandError.ts";

const keysSchema = z.looseObject({ keys: z.array(z.looseObject({ id: z.string() })) });

/** How to call an emulator. */
export type AdminOptions = { readonly signal: AbortSignal; readonly timeout: number | undefined };

/** Id of the API key whose webhooks are meant: the given one, else the emulator's first. */
export async function chooseKey(
  service: Service,
  given: string | undefined,
  options: AdminOptions,
): Promise<string> {
  if (given !== undefined) return given;
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

/** Path of a key's webhook, below `/admin`. */
export const webhookPath = (keyId: string): string => `/keys/${encodeURIComponent(keyId)}/webhook`;
