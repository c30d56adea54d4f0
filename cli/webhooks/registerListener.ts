import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { HttpError } from "../../src/errors/HttpError.ts";
import { NetworkError } from "../../src/errors/NetworkError.ts";
import { redactUrl } from "../../src/errors/redactUrl.ts";
import { TimeoutError } from "../../src/errors/TimeoutError.ts";
import { callAdmin } from "../control/callAdmin.ts";
import type { Service } from "../settings/openService.ts";
import { usageError } from "../terminal/CommandError.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { webhookPath } from "./chooseKey.ts";
import { dropSetAside, readSetAside, saveSetAside, type WebhookSettings, webhookSchema } from "./setAside.ts";

/** Beginning of every listener's path: a registration of a listener that was killed is known by it. */
export const listenerPath = "/waybill-webhook-listener/";

/** Pause between two looks at the registration, in milliseconds. */
const lookEvery = 2_000;

type Options = {
  readonly keyId: string;
  readonly replace?: boolean;
  readonly timeout?: number;
};

/** The webhook of a listener at an emulator. */
export type Registration = {
  /** Watches until the stop: registers again at an emulator that restarted. @throws errors of another emulator's answers. */
  watch(): Promise<void>;
  /** Puts back what the key had. */
  end(): Promise<void>;
};

/**
 * Makes a URL the webhook of an API key of an emulator. What the key had is kept on this machine meanwhile, so that the listener
 * after a kill puts it back.
 *
 * @throws CommandError if the key has another webhook, unless `replace`.
 */
export async function registerListener(
  service: Pick<Service, "adminKey" | "url">,
  url: string,
  { keyId, note, replace = false, signal, timeout }: Options & Pick<Terminal, "note" | "signal">,
): Promise<Registration> {
  const call = { path: webhookPath(keyId), timeout };
  const read = (stop: AbortSignal) =>
    callAdmin(service, { ...call, method: "GET", schema: webhookSchema, signal: stop }).catch(
      (error: unknown) => {
        if (error instanceof HttpError && error.status === 404) return undefined;
        throw error;
      },
    );
  const put = (body: Partial<WebhookSettings>, stop: AbortSignal) =>
    callAdmin(service, { ...call, body, method: "PUT", schema: webhookSchema, signal: stop });
  const earlier = await read(signal);
  const isOwn = earlier !== undefined && isListener(earlier.url);
  if (earlier !== undefined && !isOwn && !replace) {
    const shown = redactUrl(earlier.url);
    throw usageError(`The API key has a webhook already, ${shown}: --replace puts it aside meanwhile.`);
  }
  let setAside = isOwn ? readSetAside(earlier.url) : earlier;
  const end = async () => {
    // The stop has fired already; the end has a signal of its own.
    const stop = AbortSignal.timeout(timeout ?? 5_000);
    let current: WebhookSettings | undefined;
    try {
      current = await read(stop);
    } catch {
      if (setAside === undefined) return;
      const shown = redactUrl(setAside.url);
      note(`The emulator does not answer. The next waybill webhook listen puts its webhook ${shown} back.`);
      return;
    }
    // A later listener, or a user, may have replaced this one.
    if (current?.url === url) {
      if (setAside === undefined) {
        await callAdmin(service, { ...call, method: "DELETE", schema: z.unknown(), signal: stop });
      } else await put(setAside, stop);
    }
    dropSetAside(url);
  };
  if (setAside !== undefined) saveSetAside(url, setAside);
  try {
    await put({ url }, signal);
  } catch (error) {
    // The emulator may have taken it.
    await end().catch(() => undefined);
    throw error;
  }
  if (isOwn) {
    dropSetAside(earlier.url);
    if (setAside !== undefined) {
      const shown = redactUrl(setAside.url);
      note(`An earlier listener did not put the webhook ${shown} back; this one does at its end.`);
    }
  }
  const registerAgain = async () => {
    await put({ url }, signal);
    // An emulator that lost the registration lost the webhook too.
    setAside = undefined;
    dropSetAside(url);
    note("The emulator had no webhook any more, as after a restart: the listener is registered again.");
  };
  return { end, watch: () => watch({ note, read: () => read(signal), registerAgain, signal, url }) };
}

const isListener = (url: string) => URL.canParse(url) && new URL(url).pathname.startsWith(listenerPath);

type Watch = Pick<Terminal, "note" | "signal"> & {
  readonly read: () => Promise<WebhookSettings | undefined>;
  readonly registerAgain: () => Promise<void>;
  readonly url: string;
};

async function watch({ note, read, registerAgain, signal, url }: Watch): Promise<void> {
  let seen = url;
  const tell = (now: string, text: string) => {
    if (seen !== now) note(text);
    seen = now;
  };
  while (!signal.aborted) {
    try {
      await setTimeout(lookEvery, undefined, { signal });
      const current = await read();
      if (current === undefined) await registerAgain();
      if (current === undefined || current.url === url)
        tell(url, "The emulator posts to this listener again.");
      else
        tell(current.url, `${redactUrl(current.url)} replaced this listener, which gets no more webhooks.`);
    } catch (error) {
      if (signal.aborted) return;
      const isGone =
        error instanceof NetworkError ||
        error instanceof TimeoutError ||
        (error instanceof HttpError && error.status >= 500);
      if (!isGone) throw error;
      tell("", "The emulator does not answer: the listener waits for it.");
    }
  }
}
