import { BaseError } from "./BaseError.ts";

export type RequestFailedErrorOptions = {
  details?: string | undefined;
  /** Reason of the failed fill; `undefined` if the service gives none. */
  failReason?: string | undefined;
  inTxHashes?: readonly string[] | undefined;
  /** Reason of a failed refund. */
  refundFailReason?: string | undefined;
  requestId: string;
  status: "failure" | "refund";
  txHashes?: readonly string[] | undefined;
};

/**
 * A request ended without `success`: the fill failed, or the deposit was refunded.
 *
 * @example
 * import { createClient, production, RequestFailedError, waitForRequest } from "waybill/client";
 *
 * try {
 *   const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 *   await waitForRequest(createClient(production), { requestId });
 * } catch (error) {
 *   if (error instanceof RequestFailedError) console.log(error.status, error.failReason);
 * }
 */
export class RequestFailedError extends BaseError {
  override readonly name = "RequestFailedError";
  declare readonly failReason: string | undefined;
  /** Origin transactions. */
  declare readonly inTxHashes: readonly string[];
  declare readonly refundFailReason: string | undefined;
  declare readonly requestId: string;
  declare readonly status: "failure" | "refund";
  /** Destination transactions, or the refund's. */
  declare readonly txHashes: readonly string[];

  constructor(options: RequestFailedErrorOptions) {
    const {
      details,
      failReason,
      inTxHashes = [],
      refundFailReason,
      requestId,
      status,
      txHashes = [],
    } = options;
    super(status === "refund" ? `Request ${requestId} was refunded.` : `Request ${requestId} failed.`, {
      code: status === "refund" ? "REQUEST_REFUNDED" : "REQUEST_FAILED",
      details,
      metaMessages: [
        `Reason: ${failReason ?? "not given"}`,
        ...(refundFailReason === undefined ? [] : [`Refund failed: ${refundFailReason}`]),
        ...(txHashes.length === 0 ? [] : [`Transactions: ${txHashes.join(", ")}`]),
      ],
    });
    Object.assign(this, { failReason, inTxHashes, refundFailReason, requestId, status, txHashes });
  }
}
