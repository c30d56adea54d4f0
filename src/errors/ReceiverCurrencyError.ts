import { BaseError } from "./BaseError.ts";

/**
 * A receiver cannot pay the solver in this currency: the solver takes it only after a swap, which a receiver does not make.
 */
export class ReceiverCurrencyError extends BaseError {
  override readonly name = "ReceiverCurrencyError";
  /** The currencies that a receiver on this chain takes. */
  declare readonly accepted: readonly ReceiverCurrency[];
  declare readonly chainId: number;
  declare readonly currency: string;

  constructor({ accepted, chainId, currency }: ReceiverCurrencyErrorOptions) {
    const named = accepted.map(({ address, symbol }) => `${symbol} (${address})`).join(", ");
    super(`A receiver on chain ${chainId} does not take ${currency}, which the solver would have to swap.`, {
      code: "RECEIVER_CURRENCY",
      metaMessages: [
        `It takes ${named || "no currency"}.`,
        "Quote the request with one of them, or swap before the deposit: by the quote's own steps, or in a contract that then pays the order.",
      ],
    });
    Object.assign(this, { accepted, chainId, currency });
  }
}

/** A currency that the solver takes without a swap. */
export type ReceiverCurrency = { readonly address: string; readonly symbol: string };

export type ReceiverCurrencyErrorOptions = Pick<ReceiverCurrencyError, "accepted" | "chainId" | "currency">;
