import type { Address, Hex } from "viem";
import type { ServiceErrorCode } from "../../src/errors/serviceErrorCodes.ts";

/** A call that would fail on the destination chain, as error bodies carry it. */
export type FailedCallData = { from: Address; to: Address; data: Hex; value: string };

/** A quote that cannot be given, for a reason the caller can do something about. */
export class QuoteError extends Error {
  override readonly name = "QuoteError";
  readonly errorCode: ServiceErrorCode;
  readonly errorData: unknown;
  readonly failedCallData: FailedCallData | undefined;
  /** Newest block of the chain on which a transaction was run. */
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

/** More than can be given. Clients of the service recognise the error by the first words of its sentence. */
export function insufficientLiquidity(reason: string): QuoteError {
  return new QuoteError("INSUFFICIENT_LIQUIDITY", `Amount is higher than the available liquidity: ${reason}`);
}
