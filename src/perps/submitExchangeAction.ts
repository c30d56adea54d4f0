import { BaseError } from "../errors/BaseError.ts";
import { show } from "../internal/show.ts";
import {
  type ExchangeRequest,
  type ExchangeResponse,
  exchangeRequestSchema,
  exchangeResponseSchema,
} from "../schema/quote/exchangeAction.ts";
import { readBy } from "../schema/wire/readBy.ts";
import { type ExchangeOptions, postToExchange } from "./postToExchange.ts";
import { WithdrawalInvalidError } from "./WithdrawalInvalidError.ts";

export type SubmitExchangeActionParameters = ExchangeOptions & {
  /** The `deposit` of `signWithdrawal`. */
  request: ExchangeRequest;
};

export type SubmitExchangeActionReturnType = ExchangeResponse;

/**
 * Submits a signed action to the exchange, without retries. After an uncertain error, submitting the same request again
 * is safe: the exchange accepts a nonce only once.
 *
 * @returns The exchange's response, with `status` `ok`.
 * @throws {InvalidParameterError} For an invalid part of the request, by name.
 * @throws {WithdrawalInvalidError} When the nonce of the request differs from the signed one.
 * @throws {ExchangeRejectedError} For a `status` other than `ok`.
 * @throws {HttpError} For an HTTP status other than 200.
 * @throws {NetworkError} Without a response. The request may have arrived.
 *
 * @example
 * import { submitExchangeAction, type SignWithdrawalReturnType } from "waybill/perps";
 *
 * declare const signed: SignWithdrawalReturnType;
 * await submitExchangeAction({ request: signed.deposit, url: "http://127.0.0.1:4001" });
 */
export async function submitExchangeAction({
  request,
  ...options
}: SubmitExchangeActionParameters): Promise<SubmitExchangeActionReturnType> {
  const body = readBy(exchangeRequestSchema, request, "request");
  if (body.nonce !== body.action.nonce) {
    throw new WithdrawalInvalidError({
      actual: String(body.nonce),
      expected: String(body.action.nonce),
      fault: "nonce-mismatch",
      path: "request.nonce",
    });
  }
  const answer = await postToExchange(options, {
    body,
    operation: "handing an action in at the exchange",
    path: "/exchange",
    safe: false,
    schema: exchangeResponseSchema,
  });
  if (answer.status === "ok") return answer;
  throw new ExchangeRejectedError({ response: answer.response, status: answer.status });
}

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
  declare readonly status: string;

  /** @param response The exchange's `response`; used as details if it is text. */
  constructor({ response, status }: { response: unknown; status: string }) {
    super(`The exchange rejected the action with status "${show(status)}".`, {
      code: "EXCHANGE_REJECTED",
      details: typeof response === "string" ? response.slice(0, longestReason) : undefined,
    });
    this.status = status;
  }
}
