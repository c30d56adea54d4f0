import { BaseError } from "../../../src/errors/BaseError.ts";

export type SvmRefusal = Pick<SvmTransactionRefusedError, "error" | "logs" | "units">;

/** The SVM chain does not take a transaction; nothing moved. */
export class SvmTransactionRefusedError extends BaseError {
  override readonly name = "SvmTransactionRefusedError";
  /** The chain's name of the error, such as `BlockhashNotFound`. */
  readonly error: string;
  readonly logs: readonly string[];
  /** Compute units of the simulation. */
  readonly units: bigint;

  constructor({ error, logs, units }: SvmRefusal) {
    super(`The SVM chain refused the transaction: ${error}.`, {
      code: "SVM_TRANSACTION_REFUSED",
      metaMessages: [...logs],
    });
    this.error = error;
    this.logs = logs;
    this.units = units;
  }
}
