import type { QuoteMismatch } from "../errors/QuoteMismatchError.ts";

/** Internal: ends the handling of a request, before its method is known. */
export class Refused extends Error {
  readonly reason: string;
  readonly differences: readonly QuoteMismatch[];

  constructor(reason: string, differences: readonly QuoteMismatch[] = []) {
    super(reason);
    this.reason = reason;
    this.differences = differences;
  }
}
