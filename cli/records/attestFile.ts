import type { Address } from "viem";
import * as z from "zod";
import { orderDataSchema } from "../../src/schema/quote/order.ts";
import { signatureRecordSchema } from "../../src/schema/record/signatureRecord.ts";
import { usageError } from "../terminal/CommandError.ts";
import type { Attestation } from "./Attestation.ts";
import { attestOrder } from "./attestOrder.ts";
import { attestRecord } from "./attestRecord.ts";

const hex = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, "not hexadecimal")
  .transform((text) => text as `0x${string}`);
const orderSchema = z.looseObject({
  orderData: orderDataSchema,
  orderId: hex.optional(),
  orderSignature: hex,
});
const quoteSchema = z.looseObject({ protocol: z.looseObject({ v2: orderSchema }) });
const recordSchema = z.looseObject({ ...signatureRecordSchema.shape, requestId: hex });

/**
 * Explains and verifies a saved record, a quote, or the `protocol.v2` of one.
 *
 * @throws CommandError for anything else.
 */
export async function attestFile(value: unknown, solver: Address): Promise<Attestation> {
  const quote = quoteSchema.safeParse(value);
  if (quote.success) return attestOrder(quote.data.protocol.v2, solver);
  const order = orderSchema.safeParse(value);
  if (order.success) return attestOrder(order.data, solver);
  const record = recordSchema.safeParse(value);
  if (record.success) return attestRecord(record.data, solver);
  throw usageError(
    "The file has neither requestId, requestData and signature, nor the protocol.v2 of a quote.",
  );
}
