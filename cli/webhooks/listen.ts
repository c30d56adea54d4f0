import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { printable } from "../../src/errors/printable.ts";
import { redactUrl } from "../../src/errors/redactUrls.ts";
import type { WebhookEvent } from "../../src/schema/request/statusUpdate.ts";
import { verifyWebhook } from "../../src/webhooks/verifyWebhook.ts";
import { WebhookInvalidError } from "../../src/webhooks/WebhookInvalidError.ts";
import { openService } from "../settings/openService.ts";
import { CommandError, exitCodes, keyError } from "../terminal/CommandError.ts";
import { shortId, type Terminal } from "../terminal/Terminal.ts";
import { type Forwarded, forward, NoAnswerError, readAll } from "./forward.ts";
import type { ListenOptions } from "./listenFlags.ts";
import {
  chooseKey,
  listenerPath,
  type Registration,
  registerListener,
  secretOf,
} from "./registerListener.ts";

/** The clock of an emulator may be anywhere: the age of a webhook is shown, not refused. */
const anyAge = 1e11;
/** Age from which a receiver's own check would refuse a webhook, in seconds. */
const staleSeconds = 300;
/** Longest text of a field in a line. */
const longestText = 200;

/** Time for webhooks in flight at the end, in milliseconds. */
const graceMs = 2_000;
/** Limits of the listener: whoever knows the port could hold connections. */
const limits = { connectionsCheckingInterval: 2_000, headersTimeout: 5_000, requestTimeout: 15_000 };
const mostConnections = 500;

type Listener = {
  /** Fires some time after the stop. */
  readonly ending: AbortSignal;
  readonly key: string;
  readonly options: ListenOptions;
  readonly terminal: Terminal;
};

/** Receives webhooks until Ctrl-C, and puts the key's webhook back as it was. */
export async function listen(terminal: Terminal, options: ListenOptions): Promise<void> {
  const service = await openService(options);
  const { signal } = terminal;
  const { timeout } = options;
  const keyId = options.register ? await chooseKey(service, options.keyId, { signal, timeout }) : undefined;
  const key = secretOf(service, keyId ?? options.keyId);
  if (key === undefined) {
    throw keyError(
      "Signatures are verified by the API key: --emulator, WAYBILL_API_KEY or the configuration.",
    );
  }
  const ending = new AbortController();
  const inFlight = new Set<Promise<void>>();
  // Web pages cannot guess the path, so that they cannot post to the target through this machine.
  const path = `${listenerPath}${randomBytes(16).toString("hex")}`;
  const server = createServer(limits, (request, response) => {
    const received = receive({ ending: ending.signal, key, options, terminal }, path, request, response);
    inFlight.add(received);
    void received.then(() => inFlight.delete(received));
  });
  server.maxConnections = mostConnections;
  const port = await openPort(server, options.port ?? 0, signal);
  const url = `http://127.0.0.1:${port}${path}`;
  let registration: Registration | undefined;
  try {
    if (keyId !== undefined) {
      registration = await registerListener(service, url, { ...options, keyId, note: terminal.note, signal });
    }
    const { forwardTo } = options;
    // User, password and query of the target may be credentials.
    const target = forwardTo === undefined ? "" : `, forwarded to ${redactUrl(forwardTo)}`;
    terminal.line({ type: "listening", url }, `Listening at ${url}${target}. Ctrl-C ends it.`);
    const stopped = signal.aborted ? Promise.resolve() : once(signal, "abort");
    await Promise.race([stopped, ...(registration === undefined ? [] : [registration.watch()])]);
  } finally {
    server.close();
    await registration?.end();
    await Promise.race([Promise.all(inFlight), setTimeout(graceMs, undefined, { ref: false })]);
    ending.abort();
    await Promise.all(inFlight);
    server.closeAllConnections();
  }
}

async function openPort(server: Server, port: number, signal: AbortSignal): Promise<number> {
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

async function receive(
  listener: Listener,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, text = "") => response.writeHead(status).end(text);
  try {
    if (request.method !== "POST" || request.url !== path) {
      answer(404);
      return;
    }
    const body = await readAll(request);
    if (body === undefined) {
      refuse(listener, "too_long");
      response.writeHead(413, { connection: "close" }).end();
      return;
    }
    const { forwarded, status } = await handle(listener, { body, request });
    if (forwarded === undefined) {
      answer(status);
      return;
    }
    const { body: text, contentType } = forwarded;
    response
      .writeHead(status, contentType === undefined ? {} : { "content-type": contentType })
      .end(status === 204 || status === 304 ? undefined : text);
  } catch {
    response.destroy();
  }
}

function refuse({ terminal }: Listener, reason: string): void {
  const text = `${terminal.style("red", "refused")}  a webhook that does not verify: ${reason}`;
  terminal.line({ reason, type: "refused" }, text);
}

type Handled = { readonly forwarded?: Forwarded | undefined; readonly status: number };

/** Verifies and shows a webhook, and forwards it. A webhook that does not verify is answered with 401 and goes nowhere. */
async function handle(
  listener: Listener,
  { body, request }: { readonly body: Buffer; readonly request: IncomingMessage },
): Promise<Handled> {
  const { ending, key, options, terminal } = listener;
  const { headers, rawHeaders } = request;
  const verified = await verifyWebhook(body, headers, { secrets: [key], toleranceSeconds: anyAge }).catch(
    (error: unknown) => error,
  );
  if (!isVerified(verified)) {
    refuse(listener, verified instanceof WebhookInvalidError ? verified.reason : "unknown");
    return { status: 401 };
  }
  const { dedupeKey, event, sentAt } = verified;
  const ageSeconds = Math.round((Date.now() - sentAt) / 1_000);
  const { requestId, status } = event.data;
  const facts = { ageSeconds, dedupeKey, event, requestId, status, type: "event" };
  if (options.forwardTo === undefined) {
    terminal.line(facts, textOf(event, ageSeconds));
    return { status: 200 };
  }
  try {
    const forwarded = await forward(options.forwardTo, { body, rawHeaders }, ending);
    const { durationMs, statusCode } = forwarded;
    const isLate = request.socket.destroyed;
    const text = `${textOf(event, ageSeconds)}  → ${statusCode} in ${durationMs} ms${isLate ? ", after the service gave up" : ""}`;
    terminal.line({ ...facts, forwarded: { durationMs, statusCode, ...(isLate && { isLate }) } }, text);
    // Node sends no other statuses as the end of an answer.
    return { forwarded, status: statusCode >= 200 && statusCode <= 999 ? statusCode : 502 };
  } catch (cause) {
    const error = cause instanceof NoAnswerError ? cause.message : "unknown";
    terminal.line(
      { ...facts, forwarded: { error } },
      `${textOf(event, ageSeconds)}  → ${terminal.style("red", `no answer: ${error}`)}`,
    );
    return { status: 502 };
  }
}

type Verified = { readonly dedupeKey: string; readonly event: WebhookEvent; readonly sentAt: number };

function isVerified(value: unknown): value is Verified {
  return typeof value === "object" && value !== null && "event" in value && "sentAt" in value;
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
