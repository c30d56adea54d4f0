import {
  type ExchangeRequest,
  type ExchangeResponse,
  exchangeRequestSchema,
  exchangeResponseSchema,
} from "../schema/quote/exchangeAction.ts";
import { readBy } from "../schema/wire/readBy.ts";
import { ExchangeRejectedError } from "./ExchangeRejectedError.ts";
import { type ExchangeErrorType, type ExchangeOptions, postToExchange } from "./postToExchange.ts";
import { WithdrawalInvalidError } from "./WithdrawalInvalidError.ts";

/** Parameters of {@link submitExchangeAction}. */
export type SubmitExchangeActionParameters = ExchangeOptions & {
  /** The `deposit` of `signWithdrawal`. */
  request: ExchangeRequest;
};

/** Return value of {@link submitExchangeAction}. */
export type SubmitExchangeActionReturnType = ExchangeResponse;

/** Errors of {@link submitExchangeAction}. */
export type SubmitExchangeActionErrorType =
  | ExchangeErrorType
  | ExchangeRejectedError
  | WithdrawalInvalidError;

/**
 * Hands a signed action in at the exchange, once: it is never repeated by itself. After an error that leaves open whether it
 * arrived, the same request may be handed in again, since the exchange takes a nonce only once.
 *
 * @param parameters The request, and where the exchange is.
 * @returns The exchange's answer, whose `status` is `ok`.
 * @throws {InvalidParameterError} Naming the part of the request that is not what the exchange takes.
 * @throws {WithdrawalInvalidError} When the nonce of the request differs from the signed one.
 * @throws {ExchangeRejectedError} When the exchange says anything but `ok`.
 * @throws {HttpError} When it answers anything but 200.
 * @throws {NetworkError} When no answer came. The request may have arrived.
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
