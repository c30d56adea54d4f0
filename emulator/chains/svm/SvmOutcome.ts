import * as z from "zod";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { uintStringSchema } from "../../../src/schema/wire/wireAmount.ts";

const amount = z.pipe(
  uintStringSchema,
  z.transform((digits: string) => BigInt(digits)),
);

/** What a transaction did, as the ledger stores it. */
const svmOutcomeSchema = z.object({
  /** The chain's name of the error, such as `InstructionError(0, Custom(1))`; `null` on success. */
  error: z.nullable(z.string()),
  logs: z.array(z.string()),
  /** Compute units. */
  units: amount,
  /** Lamports, paid by the first account even if the transaction fails. */
  fee: amount,
  /** Balances in lamports of the transaction's accounts, in its order. */
  accounts: z.array(z.object({ address: z.string(), pre: amount, post: amount })),
  /** Balances in smallest units of the token accounts among them. */
  tokens: z.array(
    z.object({ account: z.string(), mint: z.string(), owner: z.string(), pre: amount, post: amount }),
  ),
});

export type SvmOutcome = z.output<typeof svmOutcomeSchema>;

/** Reads a stored outcome. */
export function parseSvmOutcome(json: string): SvmOutcome {
  return svmOutcomeSchema.parse(JSON.parse(json));
}

/** Writes an outcome in its stored form, with amounts as decimal strings. */
export function serializeSvmOutcome(outcome: SvmOutcome): string {
  return JSON.stringify(outcome, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

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
