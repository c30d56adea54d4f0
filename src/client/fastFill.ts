import { type FastFillRequest, fastFillRequestSchema } from "../schema/quote/fastFill.ts";
import { type Message, messageSchema } from "../schema/request/transactions.ts";
import type { AnyText, CallOptions, Client } from "./internal/Client.ts";
import { readParameters, toWireAmount } from "./internal/parameters.ts";

export type FastFillParameters = Omit<CallOptions, "retryCount"> &
  AnyText<Omit<FastFillRequest, "solverInputCurrencyAmount">> & {
    /** Smallest units that the solver receives on the origin chain. */
    solverInputCurrencyAmount?: bigint | string | undefined;
  };

export type FastFillReturnType = Message;

/**
 * Requests a fill before the deposit is final, paid from the app's balance (`POST /fast-fill`). Needs an API key whose
 * app has a balance.
 *
 * Spends money: never retried automatically. Status 409 means that the fill is already in progress.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, fastFill, production } from "waybill/client";
 *
 * await fastFill(createClient({ ...production, apiKey: "your-key" }), {
 *   maxFillAmountUsd: 100,
 *   requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 * });
 */
export async function fastFill(client: Client, parameters: FastFillParameters): Promise<FastFillReturnType> {
  const { signal, solverInputCurrencyAmount: amount, timeout, ...fields } = parameters;
  const name = "solverInputCurrencyAmount";
  return client.request({
    body: readParameters(fastFillRequestSchema, {
      ...fields,
      ...(amount === undefined ? {} : { [name]: toWireAmount(amount, name) }),
    }),
    operation: "asking for a fast fill",
    path: "/fast-fill",
    schema: messageSchema,
    signal,
    timeout,
  });
}
