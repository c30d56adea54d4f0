import type { Address, Hex } from "viem";
import type { ServiceErrorCode } from "../../src/errors/serviceErrorCodes.ts";

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
