import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebhookEvent } from "../../src/schema/request/statusUpdate.ts";
import { verifyWebhook } from "../../src/webhooks/verifyWebhook.ts";
import { WebhookInvalidError } from "../../src/webhooks/WebhookInvalidError.ts";
import { openService } from "../settings/openService.ts";
import { CommandError, keyError } from "../terminal/CommandError.ts";
import { exitCodes } from "../terminal/exitCodes.ts";
import { shortId } from "../terminal/shortId.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { chooseKey } from "./chooseKey.ts";
import { type Forwarded, forward, readAll } from "./forward.ts";
import type { ListenOptions } from "./ListenOptions.ts";
import { listenerPath, registerListener } from "./registerListener.ts";

/** The clock of an emulator may be anywhere: the age of a webhook is shown, not refused. */
const anyAge = 1e11;
/** Age from which a receiver's own check would refuse a webhook, in seconds. */
const staleSeconds = 300;

type Listener = { readonly key: string; readonly options: ListenOptions; readonly terminal: Terminal };

/** Receives webhooks until Ctrl-C, and puts the key's webhook back as it was. */
export async function listen(terminal: Terminal, options: ListenOptions): Promise<void> {
  const service = await openService(options);
  const { signal } = terminal;
  const { timeout } = options;
  const keyId = options.register ? await chooseKey(service, options.keyId, { signal, timeout }) : undefined;
  const key = service.client.apiKey;
  if (key === undefined) {
    throw keyError(
      "Signatures are verified by the API key: --emulator, WAYBILL_API_KEY or the configuration.",
    );
  }
  // Web pages cannot guess the path, so that they cannot post to the target through this machine.
  const path = `${listenerPath}${randomBytes(16).toString("hex")}`;
  const server = createServer((request, response) => {
    void receive({ key, options, terminal }, path, request, response);
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening", { signal }).catch((cause: NodeJS.ErrnoException) => {
    if (signal.aborted) throw signal.reason;
    const reason = cause.code === "EADDRINUSE" ? "another program uses it" : (cause.code ?? "unknown");
    throw new CommandError(`Port ${options.port} cannot be opened: ${reason}.`, {
      cause,
      code: "PORT_IN_USE",
      exitCode: exitCodes.refused,
    });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const unregister =
    keyId === undefined ? undefined : await registerListener(service, url, { ...options, keyId, signal });
  const target = options.forwardTo === undefined ? "" : `, forwarded to ${options.forwardTo}`;
  terminal.line({ type: "listening", url }, `Listening at ${url}${target}. Ctrl-C ends it.`);
  if (!signal.aborted) await once(signal, "abort");
  await unregister?.();
  server.closeAllConnections();
  server.close();
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

type Handled = { readonly forwarded?: Forwarded | undefined; readonly status: number };

/** Verifies and shows a webhook, and forwards it. A webhook that does not verify is answered with 401 and goes nowhere. */
async function handle(
  { key, options, terminal }: Listener,
  { body, request }: { readonly body: Buffer; readonly request: IncomingMessage },
): Promise<Handled> {
  const { headers, rawHeaders } = request;
  const verified = await verifyWebhook(body, headers, { secrets: [key], toleranceSeconds: anyAge }).catch(
    (error: unknown) => error,
  );
  if (!isVerified(verified)) {
    const reason = verified instanceof WebhookInvalidError ? verified.reason : "unknown";
    terminal.line(
      { reason, type: "refused" },
      `${terminal.style("red", "refused")}  a webhook that does not verify: ${reason}`,
    );
    return { status: 401 };
  }
  const { event, sentAt } = verified;
  const ageSeconds = Math.round((Date.now() - sentAt) / 1_000);
  const { requestId, status } = event.data;
  const facts = { ageSeconds, event, requestId, status, type: "event" };
  if (options.forwardTo === undefined) {
    terminal.line(facts, textOf(event, ageSeconds));
    return { status: 200 };
  }
  try {
    const forwarded = await forward(options.forwardTo, { body, rawHeaders }, terminal.signal);
    const { durationMs, statusCode } = forwarded;
    const text = `${textOf(event, ageSeconds)}  → ${statusCode} in ${durationMs} ms`;
    terminal.line({ ...facts, forwarded: { durationMs, statusCode } }, text);
    return { forwarded, status: statusCode };
  } catch (cause) {
    const error = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.name) : "unknown";
    terminal.line(
      { ...facts, forwarded: { error } },
      `${textOf(event, ageSeconds)}  → ${terminal.style("red", `no answer: ${error}`)}`,
    );
    return { status: 502 };
  }
}

type Verified = { readonly event: WebhookEvent; readonly sentAt: number };

function isVerified(value: unknown): value is Verified {
  return typeof value === "object" && value !== null && "event" in value && "sentAt" in value;
}

function textOf({ data }: WebhookEvent, ageSeconds: number): string {
  const { failReason, requestId, status } = data;
  const time = new Date().toISOString().slice(11, 23);
  const reason =
    failReason === "N/A" || failReason === undefined || failReason === null ? "" : `  ${failReason}`;
  const age = Math.abs(ageSeconds) > staleSeconds ? `  signed ${ageSeconds} s ago` : "";
  return `${time}  ${status.padEnd(10)} ${shortId(requestId)}${reason}${age}`;
}
