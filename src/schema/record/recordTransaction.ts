import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema, intStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

const fields = {
  /** Wei. */
  fee: z.nullish(intStringSchema),
  feeUsd: z.nullish(z.string()),
  /** The transaction in its chain's format. */
  data: z.optional(z.unknown()),
  stateChanges: z.optional(z.unknown()),
  block: z.nullish(z.number()),
  /** Always `onchain`. */
  type: z.nullish(z.string()),
  chainId: z.nullish(chainIdSchema),
  /** Unix seconds. */
  timestamp: z.nullish(z.number()),
  status: z.optional(openEnum(["success", "failure"])),
};

/** A transaction of a request record, version 2. */
export type RecordTransactionV2 = z.output<typeof recordTransactionV2Schema>;
export const recordTransactionV2Schema = wireObject({ ...fields, hash: z.nullish(z.string()) });

/** A transaction of a request record, version 3. */
export type RecordTransaction = z.output<typeof recordTransactionSchema>;
export const recordTransactionSchema = wireObject({ ...fields, txHash: z.nullish(z.string()) });
