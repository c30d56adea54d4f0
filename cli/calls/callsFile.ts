import * as z from "zod";
import { tradeTypes } from "../../src/schema/quote/tradeType.ts";
import { readJsonFile } from "../settings/readFiles.ts";
import { usageError } from "../terminal/CommandError.ts";

const hex = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, "not hexadecimal")
  .transform((text) => text as `0x${string}`);
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "not an address")
  .transform((text) => text as `0x${string}`);
const amount = z
  .union([z.string().regex(/^\d{1,78}$/, "not a decimal string of smallest units"), z.int().nonnegative()])
  .transform(BigInt);

const schema = z.looseObject({
  amount,
  destinationChainId: z.int().positive().optional(),
  destinationCurrency: address,
  recipient: address.optional(),
  refundTo: address.optional(),
  tradeType: z.enum(tradeTypes),
  txs: z.array(z.looseObject({ data: hex.default("0x"), to: address, value: amount.default(0n) })),
  user: address.optional(),
});

/** The fields of a quote request that concern its calls. */
export type CallsFile = z.output<typeof schema>;

/**
 * Reads the body of a quote request with `txs`.
 *
 * @throws CommandError that names the file and the field.
 */
export async function readCallsFile(file: string): Promise<CallsFile> {
  const parsed = schema.safeParse(await readJsonFile(file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usageError(`${file}: \`${issue?.path.join(".") ?? ""}\` is invalid: ${issue?.message ?? "unknown"}.`);
}
