import * as z from "zod";
import { BaseError } from "../../../../src/errors/BaseError.ts";
import { isSvmAddress } from "../../../../src/svm/address.ts";

/** A method of the SVM chain's JSON-RPC: parameters to result. */
type SvmMethod = (params: readonly unknown[]) => Promise<unknown>;

/** Methods by name. */
export type SvmMethods = Readonly<Record<string, SvmMethod>>;

/** A call has parameters that its method does not take. */
export class InvalidSvmParameterError extends BaseError {
  override readonly name = "InvalidSvmParameterError";

  constructor(reason: string) {
    super(`Invalid params: ${reason}`, { code: "INVALID_SVM_PARAMETER" });
  }
}

/** Parses the parameters of a call; missing ones count as `undefined`. @throws InvalidSvmParameterError */
export function readParams<Schema extends z.ZodType>(
  schema: Schema,
  params: readonly unknown[],
): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new InvalidSvmParameterError(z.prettifyError(parsed.error));
}

/** An account or mint in base58. */
export const svmAddressSchema = z
  .string()
  .refine((address) => isSvmAddress({ address }), "not an SVM address");

/** Options that a method does not need. */
export const optionsSchema = z.looseObject({}).nullish();

/** Wraps a value with the slot at which it was read. */
export function atSlot(slot: number, value: unknown) {
  return { context: { apiVersion: "2.0.0", slot }, value };
}

/** An error of the SVM in the form of the JSON-RPC: `{ InstructionError: [0, { Custom: 1 }] }`, or a name. */
export function errorJson(error: string | null): unknown {
  const [, index, inner] = /^InstructionError\((\d+), (.+)\)$/.exec(error ?? "") ?? [];
  if (index === undefined) return error;
  const [, custom] = /^Custom\((\d+)\)$/.exec(inner ?? "") ?? [];
  return { InstructionError: [Number(index), custom === undefined ? inner : { Custom: Number(custom) }] };
}
