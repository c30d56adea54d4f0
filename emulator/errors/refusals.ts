import type { Address, Hex } from "viem";
import { BaseError } from "../../src/errors/BaseError.ts";
import type { ServiceErrorCode } from "../../src/errors/serviceErrorCodes.ts";
import type { ExecuteErrorBody } from "../../src/schema/quote/executeCalls.ts";

/** A call that would fail on the destination chain, in the form of error bodies. */
export type FailedCallData = { from: Address; to: Address; data: Hex; value: string };

/** The service refuses a quote, for a reason that the caller can change. */
export class QuoteError extends Error {
  override readonly name = "QuoteError";
  readonly errorCode: ServiceErrorCode;
  readonly errorData: unknown;
  readonly failedCallData: FailedCallData | undefined;
  /** Latest block of the chain on which a transaction was simulated. */
  readonly approxSimulatedBlock: number | undefined;

  constructor(
    errorCode: ServiceErrorCode,
    message: string,
    context: {
      approxSimulatedBlock?: number | undefined;
      errorData?: unknown;
      failedCallData?: FailedCallData | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: context.cause });
    this.errorCode = errorCode;
    this.errorData = context.errorData;
    this.failedCallData = context.failedCallData;
    this.approxSimulatedBlock = context.approxSimulatedBlock;
  }
}

/** The amount exceeds the solver's capacity. Clients of the service recognize the error by the start of its message. */
export function insufficientLiquidity(reason: string): QuoteError {
  return new QuoteError("INSUFFICIENT_LIQUIDITY", `Amount is higher than the available liquidity: ${reason}`);
}

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

/** The service refuses a fast fill; the message says why. Nothing has changed. */
export class FastFillRefusedError extends Error {
  override readonly name = "FastFillRefusedError";
  /** HTTP status of the answer. */
  readonly status: 400 | 403 | 404 | 409;

  constructor(status: 400 | 403 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** The service refuses a permit signature; the message says why. Nothing has changed. */
export class PermitRefusedError extends Error {
  override readonly name = "PermitRefusedError";
}

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

/**
 * The control cannot make the requested change; the message names the reason and, if there is one, a remedy.
 *
 * @example
 * import { ControlRefusedError, startEmulator } from "@waybill/emulator";
 *
 * const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 * try {
 *   await emulator.control.clock.set(1);
 * } catch (error) {
 *   console.log(error instanceof ControlRefusedError); // true
 * } finally {
 *   await emulator.stop();
 * }
 */
export class ControlRefusedError extends BaseError {
  override readonly name = "ControlRefusedError";

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause, code: "CONTROL_REFUSED" });
  }
}
