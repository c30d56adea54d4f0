import { BaseError } from "../errors/BaseError.ts";
import { show } from "../internal/show.ts";

const longestReason = 500;

/**
 * The exchange responded 200 with a `status` other than `ok`: it did not execute the action.
 *
 * @example
 * import { ExchangeRejectedError, submitExchangeAction, type SubmitExchangeActionParameters } from "waybill/perps";
 *
 * declare const parameters: SubmitExchangeActionParameters;
 * try {
 *   await submitExchangeAction(parameters);
 * } catch (error) {
 *   if (error instanceof ExchangeRejectedError) console.log(error.status, error.details);
 * }
 */
export class ExchangeRejectedError extends BaseError {
  override readonly name = "ExchangeRejectedError";
  /** Usually `err`. */
  readonly status: string;

  /** @param response The exchange's `response`; used as details if it is text. */
  constructor({ response, status }: { response: unknown; status: string }) {
    super(`The exchange rejected the action with status "${show(status)}".`, {
      code: "EXCHANGE_REJECTED",
      details: typeof response === "string" ? response.slice(0, longestReason) : undefined,
    });
    this.status = status;
  }
}
