import { BaseError } from "../../src/errors/BaseError.ts";

/** A webhook that cannot be set up, or a target that nothing is posted to; the sentence says why. */
export class WebhookRefusedError extends BaseError {
  override readonly name = "WebhookRefusedError";

  constructor(sentence: string) {
    super(sentence, { code: "WEBHOOK_REFUSED" });
  }
}
