import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { createAdaptorServer, type ServerType } from "@hono/node-server";
import { printable } from "../../src/errors/printable.ts";
import { redactUrl } from "../../src/errors/redactUrls.ts";
import type { WebhookEvent } from "../../src/schema/request/statusUpdate.ts";
import { type VerifyWebhookReturnType, verifyWebhook } from "../../src/webhooks/verifyWebhook.ts";
import { WebhookInvalidError } from "../../src/webhooks/WebhookInvalidError.ts";
import { openService, type Service, type ServiceOptions } from "../settings/openService.ts";
import { CommandError, exitCodes, keyError } from "../terminal/CommandError.ts";
import { shortId, type Terminal } from "../terminal/Terminal.ts";
import { chooseKey, listenerPath, registerListener, secretOf } from "./registerListener.ts";

/** The clock of an emulator may be anywhere: the age of a webhook is shown, not refused. */
const anyAge = 1e11;
/** Age from which a receiver's own check would refuse a webhook, in seconds. */
const staleSeconds = 300;
/** Longest text of a field in a line. */
const longestText = 200;
/** Time limit of the target, in milliseconds. */
const targetTimeout = 30_000;
/** Time for webhooks in flight at the end, in milliseconds. */
const graceMs = 2_000;

/** Flags of `waybill webhook listen`. */
type ListenOptions = ServiceOptions & {
  readonly forwardTo?: string | undefined;
  readonly keyId?: string | undefined;
  readonly port?: number | undefined;
  readonly register: boolean;
  readonly replace?: true | undefined;
};

type Listener = {
  readonly key: string;
  readonly options: ListenOptions;
  readonly terminal: Terminal;
};

/** Receives webhooks until Ctrl-C, and puts the key's webhook back as it was. */
export async function listen(terminal: Terminal, options: ListenOptions): Promise<void> {
  const service = await openService(options);
  const { signal } = terminal;
  const { forwardTo } = options;
  const keyId = options.register ? await chooseKey(service, options.keyId, signal) : undefined;
  const key = secretOf(service, keyId ?? options.keyId);
  if (key === undefined) {
    throw keyError(
      "Signatures are verified by the API key: --emulator, WAYBILL_API_KEY or the configuration.",
    );
  }
  const inFlight = new Set<Promise<Response>>();
  // Web pages cannot guess the path, so that they cannot post to the target through this machine.
  const path = `${listenerPath}${randomBytes(16).toString("hex")}`;
  const server = createAdaptorServer({
    fetch: async (request) => {
      if (request.method !== "POST" || new URL(request.url).pathname !== path)
        return new Response(null, { status: 404 });
      const answered = receive({ key, options, terminal }, request);
      inFlight.add(answered);
      return answered.finally(() => inFlight.delete(answered));
    },
  });
  const url = `http://127.0.0.1:${await openPort(server, options.port ?? 0, signal)}${path}`;
  let unregister: (() => Promise<void>) | undefined;
  try {
    if (keyId !== undefined) {
      unregister = await registerListener(service, url, { ...options, keyId, note: terminal.note, signal });
    }
    // The query of the target may be a credential.
    const target = forwardTo === undefined ? "" : `, forwarded to ${redactUrl(forwardTo)}`;
    terminal.line(
      { type: "listening", url },
      `Listening at ${url}${target}. Ctrl-C ends it.\n${describeSecret(service, key)}`,
    );
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    server.close();
    await unregister?.();
    await Promise.race([Promise.allSettled(inFlight), setTimeout(graceMs, undefined, { ref: false })]);
  }
}

/** Names the secret of the signatures. Only a key of an emulator's file is shown: another may be worth money. */
function describeSecret({ emulator }: Service, key: string): string {
  const isLocal = emulator?.apiKeys.some((each) => each.key === key) === true;
  const secret = isLocal ? `: ${key}` : ", as the configuration or WAYBILL_API_KEY has it";
  return `The secret of the signatures is the API key${secret}`;
}

async function openPort(server: ServerType, port: number, signal: AbortSignal): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening", { signal }).catch((cause: NodeJS.ErrnoException) => {
    if (signal.aborted) throw signal.reason;
    const reason = cause.code === "EADDRINUSE" ? "another program uses it" : (cause.code ?? "unknown");
    throw new CommandError(`Port ${port} cannot be opened: ${reason}.`, {
      cause,
      code: "PORT_IN_USE",
      exitCode: exitCodes.refused,
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Verifies and shows a webhook, and forwards it. A webhook that does not verify is answered with 401 and goes nowhere. */
async function receive({ key, options, terminal }: Listener, request: Request): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  let verified: VerifyWebhookReturnType;
  try {
    verified = await verifyWebhook(body, request.headers, { secrets: [key], toleranceSeconds: anyAge });
  } catch (error) {
    const reason = error instanceof WebhookInvalidError ? error.reason : "unknown";
    const text = `refused  a webhook that does not verify: ${reason}`;
    terminal.line({ reason, type: "refused" }, text);
    return new Response(null, { status: 401 });
  }
  const { dedupeKey, event, sentAt } = verified;
  const ageSeconds = Math.round((Date.now() - sentAt) / 1_000);
  const { requestId, status } = event.data;
  const facts = { ageSeconds, dedupeKey, event, requestId, status, type: "event" };
  const text = textOf(event, ageSeconds);
  if (options.forwardTo === undefined) {
    terminal.line(facts, text);
    return new Response();
  }
  const start = performance.now();
  try {
    const answer = await forward(options.forwardTo, body, request.headers);
    const durationMs = Math.round(performance.now() - start);
    const { status: statusCode } = answer;
    terminal.line(
      { ...facts, forwarded: { durationMs, statusCode } },
      `${text}  → ${statusCode} in ${durationMs} ms`,
    );
    return answer;
  } catch (cause) {
    const { code, name } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException;
    const error = name === "TimeoutError" ? `none within ${targetTimeout / 1_000} s` : (code ?? name);
    terminal.line({ ...facts, forwarded: { error } }, `${text}  → no answer: ${printable(error)}`);
    return new Response(null, { status: 502 });
  }
}

/** Posts a message with the same bytes, type and signature. Follows no redirect: its status is the answer. */
async function forward(target: string, body: Buffer<ArrayBuffer>, given: Headers): Promise<Response> {
  const headers = [...given].filter(([name]) => name === "content-type" || name.startsWith("x-"));
  const signal = AbortSignal.timeout(targetTimeout);
  const answer = await fetch(target, { body, headers, method: "POST", redirect: "manual", signal });
  const { status } = answer;
  const text = await answer.arrayBuffer();
  const contentType = answer.headers.get("content-type");
  // No other body may go with these statuses.
  return new Response(status === 204 || status === 304 ? null : text, {
    headers: contentType === null ? {} : { "content-type": contentType },
    status,
  });
}

/** Text of the service is cut to a line's length, and cannot imitate another line. */
function textOf({ data }: WebhookEvent, ageSeconds: number): string {
  const { failReason, requestId, status } = data;
  const time = new Date().toISOString().slice(11, 23);
  const reason = failReason === "N/A" || !failReason ? "" : `  ${shown(failReason)}`;
  const age = Math.abs(ageSeconds) > staleSeconds ? `  signed ${ageText(ageSeconds)}` : "";
  return `${time}  ${shown(status).padEnd(10)} ${shortId(shown(requestId))}${reason}${age}`;
}

const shown = (text: string) => printable(text, longestText);

const ageText = (seconds: number) => (seconds < 0 ? `${-seconds} s in the future` : `${seconds} s ago`);
