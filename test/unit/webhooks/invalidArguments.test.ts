import { Readable } from "node:stream";
import {
  createMemorySeenStore,
  dedupeKey,
  type ExpressResponseLike,
  expressWebhook,
  type FastifyReplyLike,
  fastifyWebhook,
  fetchWebhook,
  honoWebhook,
  nodeWebhook,
  type RawBody,
  receiveWebhook,
  type SignWebhookParameters,
  signWebhook,
  type VerifyWebhookParameters,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHandlerParameters,
  type WebhookHeaders,
} from "../../../src/webhooks/index.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";

const now = 1_700_000_000_000;
const data = { requestId: `0x${"a8".repeat(32)}`, status: "success", updatedAt: now };
const event = { data, event: "request.status.updated", timestamp: now };
const body = JSON.stringify(event);
const signed = await signWebhook(body, { secret: "key", timestamp: now / 1_000 });

type Signed = SignWebhookParameters & { body: string };
type Received = WebhookHandlerParameters & { body: RawBody; headers: WebhookHeaders };
type Verified = VerifyWebhookParameters & { body: RawBody; headers: WebhookHeaders };

const handler = {
  now: () => now,
  onError: () => undefined,
  onEvent: () => undefined,
  secrets: ["key"],
  seen: createMemorySeenStore(),
};
const request = (): Request => new Request("http://127.0.0.1/", { body, headers: signed, method: "POST" });
const expressResponse: ExpressResponseLike = { json: () => undefined, status: () => expressResponse };
const fastifyReply: FastifyReplyLike = { code: () => fastifyReply, send: () => undefined };
const nodeRequest = () =>
  Object.assign(Readable.from([Buffer.from(body)]), { headers: signed, method: "POST" });
const nodeResponse = { writeHead: () => ({ end: () => undefined }) };

describeInvalidArguments({
  createMemorySeenStore: [{ maxKeys: 10, ttlSeconds: 60 }, createMemorySeenStore],
  dedupeKey: [{ event }, ({ event: given }: { event: WebhookEvent }) => dedupeKey(given)],
  expressWebhook: [
    handler,
    (parameters: WebhookHandlerParameters) =>
      expressWebhook(parameters)({ body, headers: signed }, expressResponse),
  ],
  fastifyWebhook: [
    handler,
    (parameters: WebhookHandlerParameters) =>
      fastifyWebhook(parameters)({ body, headers: signed }, fastifyReply),
  ],
  fetchWebhook: [handler, (parameters: WebhookHandlerParameters) => fetchWebhook(parameters)(request())],
  honoWebhook: [
    handler,
    (parameters: WebhookHandlerParameters) => honoWebhook(parameters)({ req: { raw: request() } }),
  ],
  nodeWebhook: [
    handler,
    (parameters: WebhookHandlerParameters) => nodeWebhook(parameters)(nodeRequest(), nodeResponse),
  ],
  receiveWebhook: [
    { body, headers: signed, ...handler },
    ({ body: given, headers, ...rest }: Received) => receiveWebhook(given, headers, rest),
  ],
  signWebhook: [
    { body, secret: "key", timestamp: 1 },
    ({ body: given, ...rest }: Signed) => signWebhook(given, rest),
  ],
  verifyWebhook: [
    { body, headers: signed, secrets: ["key"], toleranceSeconds: 300 },
    ({ body: given, headers, ...rest }: Verified) =>
      verifyWebhook(given, headers, { ...rest, now: () => now }),
  ],
});
