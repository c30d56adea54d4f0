import type { ExecuteErrorBody } from "../../src/schema/quote/executeCalls.ts";

/** The service refuses to execute calls. Nothing has changed. */
export class ExecuteRefusedError extends Error {
  override readonly name = "ExecuteRefusedError";
  /** The answer's body. */
  readonly body: ExecuteErrorBody;

  /** @param body The body, or its sentence alone. */
  constructor(body: ExecuteErrorBody | string) {
    const full = typeof body === "string" ? { error: body } : body;
    super(full.message ?? full.error);
    this.body = full;
  }
}
