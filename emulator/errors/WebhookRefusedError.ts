import { BaseError } from "../../src/errors/BaseError.ts";

/**
 * A webhook's settings or target are refused; the message says why.
 *
 * @example
 * import { startEmulator, WebhookRefusedError } from "@waybill/emulator";
 *
 * const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 * try {
 *   await emulator.webhooks.set("no such key", { url: "http://127.0.0.1:9" });
 * } catch (error) {
 *   console.log(error instanceof WebhookRefusedError); // true
 * } finally {
 *   await emulator.stop();
 * }
 */
export class WebhookRefusedError extends BaseError {
  override readonly name = "WebhookRefusedError";

  constructor(sentence: string) {
    super(sentence, { code: "WEBHOOK_REFUSED" });
  }
}
