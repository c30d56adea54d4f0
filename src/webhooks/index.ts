export { BaseError, type BaseErrorOptions } from "../errors/BaseError.ts";
export { InvalidParameterError } from "../errors/InvalidParameterError.ts";
export type { WebhookEvent } from "../schema/request/statusUpdate.ts";
export {
  type ExpressRequestLike,
  type ExpressResponseLike,
  expressWebhook,
} from "./adapters/expressWebhook.ts";
export { type FastifyReplyLike, type FastifyRequestLike, fastifyWebhook } from "./adapters/fastifyWebhook.ts";
export { fetchWebhook } from "./adapters/fetchWebhook.ts";
export { type HonoContextLike, honoWebhook } from "./adapters/honoWebhook.ts";
export { type NodeRequestLike, type NodeResponseLike, nodeWebhook } from "./adapters/nodeWebhook.ts";
export { dedupeKey } from "./dedupeKey.ts";
export { signatureHeader, timestampHeader, type WebhookHeaders } from "./headers.ts";
export { receiveWebhook, type WebhookAnswer, type WebhookHandlerParameters } from "./receiveWebhook.ts";
export { type CreateMemorySeenStoreParameters, createMemorySeenStore, type SeenStore } from "./SeenStore.ts";
export { type SignWebhookParameters, type SignWebhookReturnType, signWebhook } from "./signWebhook.ts";
export {
  type RawBody,
  type VerifyWebhookParameters,
  type VerifyWebhookReturnType,
  verifyWebhook,
} from "./verifyWebhook.ts";
export { type WebhookFault, WebhookInvalidError } from "./WebhookInvalidError.ts";
