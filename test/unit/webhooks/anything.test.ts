import {
  createMemorySeenStore,
  dedupeKey,
  type RawBody,
  type SignWebhookParameters,
  signWebhook,
  type VerifyWebhookParameters,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
} from "../../../src/webhooks/index.ts";
import { describeFunctionsGivenAnything } from "../../helpers/anything.ts";

const now = 1_700_000_000_000;
const data = { requestId: `0x${"a8".repeat(32)}`, status: "success", updatedAt: now };
const event = { data, event: "request.status.updated", timestamp: now };
const body = JSON.stringify(event);
const signed = await signWebhook(body, { secret: "key", timestamp: now / 1_000 });

type Signed = SignWebhookParameters & { body: string };
type Verified = VerifyWebhookParameters & { body: RawBody; headers: WebhookHeaders };

describeFunctionsGivenAnything({
  createMemorySeenStore: [{ maxKeys: 10, ttlSeconds: 60 }, createMemorySeenStore],
  dedupeKey: [{ event }, ({ event: given }: { event: WebhookEvent }) => dedupeKey(given)],
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
