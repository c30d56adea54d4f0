import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { WebhookRefusedError } from "../errors/refusals.ts";
import { assertAddress, literalAddress, type TargetRules } from "./webhookTarget.ts";

export type PostOutcome = {
  /** Status of the response; null without one. */
  readonly statusCode: number | null;
  /** Why there was no response; null with one. */
  readonly error: string | null;
  readonly durationMs: number;
  /** Start of the response body. */
  readonly answer: string | null;
};

/** Bytes of a response body that are read. */
const keptBytes = 2_048;

/**
 * Posts once over a new connection and follows no redirect. Never rejects. The target's addresses are checked when the
 * connection is made: a host name may resolve differently than at set-up.
 */
export async function postWebhook(
  url: string,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  rules: TargetRules & { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<PostOutcome> {
  const start = performance.now();
  const timeout = AbortSignal.timeout(rules.timeoutMs);
  const end = AbortSignal.any([timeout, rules.signal]);
  const outcome = (rest: Partial<PostOutcome>): PostOutcome => ({
    answer: null,
    durationMs: Math.round(performance.now() - start),
    error: null,
    statusCode: null,
    ...rest,
  });
  try {
    const target = new URL(url);
    const literal = literalAddress(target);
    if (literal !== undefined) assertAddress(target, literal, rules);
    const response = await send(target, message, { rules, signal: end });
    return outcome({ answer: await beginningOf(response), statusCode: response.statusCode ?? null });
  } catch (error) {
    if (timeout.aborted) return outcome({ error: `no answer within ${rules.timeoutMs} ms` });
    return outcome({ error: rules.signal.aborted ? "the emulator stopped" : describe(error) });
  }
}

async function send(
  target: URL,
  { body, headers }: Parameters<typeof postWebhook>[1],
  { rules, signal }: { rules: TargetRules; signal: AbortSignal },
): Promise<IncomingMessage> {
  const request = target.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const sent: ClientRequest = request(target, {
      // A kept connection would bypass the address check of later posts.
      agent: false,
      headers: {
        "user-agent": "waybill-emulator",
        ...headers,
        "content-length": bytes.byteLength,
        "content-type": "application/json",
      },
      lookup: guardedLookup(target, rules),
      method: "POST",
      signal,
    });
    sent.once("response", resolve);
    sent.on("error", reject);
    sent.end(bytes);
  });
}

function guardedLookup(target: URL, rules: TargetRules): LookupFunction {
  return (hostname, options, callback) => {
    rules.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        try {
          if (first === undefined) throw new WebhookRefusedError(`${hostname} has no address.`);
          for (const address of addresses) assertAddress(target, address, rules);
        } catch (error) {
          callback(error as NodeJS.ErrnoException, "");
          return;
        }
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

/** Reads the start of the body. A broken body is cut short; the status stands. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      kept.push(chunk);
      size += chunk.byteLength;
      if (size >= keptBytes) break;
    }
  } catch {
    // The connection broke or timed out.
  }
  response.destroy();
  return Buffer.concat(kept).subarray(0, keptBytes).toString("utf8");
}

function describe(error: unknown): string {
  if (error instanceof WebhookRefusedError) return error.shortMessage;
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : "unknown";
}
