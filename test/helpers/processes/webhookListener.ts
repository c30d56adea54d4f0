import { type RanCommand, type RunOptions, runWaybill } from "./runWaybill.ts";

/** A running `waybill webhook listen`. */
export type WebhookListener = {
  readonly ended: Promise<RanCommand>;
  readonly url: string;
  /** What it printed so far. */
  out(): string;
  /** Sends a signal, and waits for the end. @default SIGINT */
  stop(signal?: NodeJS.Signals): Promise<RanCommand>;
};

/** Starts a listener, and waits until it has printed its URL. */
export async function startWebhookListener(
  args: readonly string[],
  options: Pick<RunOptions, "env"> = {},
): Promise<WebhookListener> {
  let kill: (signal: NodeJS.Signals) => void = () => undefined;
  let out = "";
  const listening = Promise.withResolvers<string>();
  const ended = runWaybill(["webhook", "listen", ...args], {
    ...options,
    onOutput: (text) => {
      out = text;
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/waybill-webhook-listener\/[0-9a-f]{32}/.exec(text) ?? [];
      if (url !== undefined) listening.resolve(url);
    },
    onStart: (each) => {
      kill = each;
    },
  });
  const failed = ended.then(({ code, err }) => {
    throw new Error(`the listener ended with ${code}: ${err}`);
  });
  // After the start, the end is no failure.
  failed.catch(() => undefined);
  return {
    ended,
    out: () => out,
    stop: (signal = "SIGINT") => {
      kill(signal);
      return ended;
    },
    url: await Promise.race([listening.promise, failed]),
  };
}
