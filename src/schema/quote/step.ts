import * as z from "zod/mini";
import { bytes32Schema, evmAddressSchema, hexSchema, textSchema } from "../wire/hex.ts";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema, quantitySchema } from "../wire/wireAmount.ts";
import { wireMap, wireObject } from "../wire/wireObject.ts";

/**
 * A field that must be absent; distinguishes the members of a union.
 *
 * Not `z.never()`, which JSON Schema cannot express.
 */
export const absentSchema = z.optional(
  z
    .unknown()
    .check(
      z.refine((value) => value === undefined, { abort: true, error: "a field that does not belong here" }),
    ),
) as unknown as z.ZodMiniOptional<z.ZodMiniNever>;

/** Every documented step id. */
export const stepIds = [
  "approve",
  "deposit",
  "authorize",
  "authorize1",
  "authorize2",
  "swap",
  "send",
] as const;

/** Every documented step kind. */
export const stepKinds = ["transaction", "signature"] as const;

/** Every documented signature kind. */
export const signatureKinds = ["eip712", "eip191"] as const;

/** Endpoint of an item's progress. */
const stepCheckSchema = wireObject({ endpoint: z.string(), method: z.string() });

const itemFields = {
  /** `incomplete` until done; a client may mark an item `complete`. */
  status: openEnum(["incomplete", "complete"]),
  check: z.optional(stepCheckSchema),
};

/** An EVM transaction. Gas and fees are estimates from the time of the quote. */
export type EvmTransactionData = z.output<typeof evmTransactionDataSchema>;
const evmTransactionDataSchema = wireObject({
  from: z.optional(evmAddressSchema),
  to: evmAddressSchema,
  data: z.optional(hexSchema),
  /** Wei. */
  value: z.optional(quantitySchema),
  /** Default: the origin chain. */
  chainId: z.optional(chainIdSchema),
  gas: z.optional(quantitySchema),
  maxFeePerGas: z.optional(quantitySchema),
  maxPriorityFeePerGas: z.optional(quantitySchema),
});

const typedDataField = wireObject({ name: z.string(), type: z.string() });

const actionSchema = wireObject({ type: z.string(), parameters: wireMap(z.unknown()) });

/** An action on the perps exchange, to be signed as typed data and posted to the exchange. */
export type ExchangeActionData = z.output<typeof exchangeActionDataSchema>;
export const exchangeActionDataSchema = wireObject({
  to: absentSchema,
  action: actionSchema,
  nonce: z.optional(quantitySchema),
  eip712Types: wireMap(z.array(typedDataField)),
  eip712PrimaryType: z.string(),
});

/**
 * Transaction data of a chain with an undocumented format, such as SVM. Data with a `to` must be a valid EVM transaction.
 * An action without typed data belongs to another exchange.
 */
const otherTransactionDataSchema = wireObject({
  to: absentSchema,
  action: z.optional(actionSchema),
  eip712Types: absentSchema,
});

/** Typed data to sign, with JSON values. */
export type Eip712Sign = z.output<typeof eip712SignSchema>;
export const eip712SignSchema = wireObject({
  signatureKind: z.enum(["eip712"]),
  domain: wireObject({
    name: z.optional(z.string()),
    version: z.optional(z.string()),
    chainId: z.optional(quantitySchema),
    verifyingContract: z.optional(evmAddressSchema),
    salt: z.optional(bytes32Schema),
  }),
  types: wireMap(z.array(typedDataField)),
  primaryType: z.string(),
  value: wireMap(z.unknown()),
});

/** A message to sign: 32 bytes in hexadecimal as bytes, any other as text. */
export type Eip191Sign = z.output<typeof eip191SignSchema>;
const eip191SignSchema = wireObject({ signatureKind: z.enum(["eip191"]), message: z.string() });

const otherSignSchema = wireObject({
  signatureKind: z.string().check(
    z.refine((kind) => !(signatureKinds as readonly string[]).includes(kind), {
      abort: true,
      error: "its fields do not fit its signatureKind",
    }),
  ),
});

/**
 * Data to sign, by `signatureKind`. Unknown kinds pass at run time, so that a quote can be displayed, but are not in
 * the type: keep the `default` of an exhaustive `switch`.
 */
const signSchema = z.union([eip712SignSchema, eip191SignSchema, otherSignSchema]) as unknown as z.ZodMiniType<
  Eip712Sign | Eip191Sign,
  Eip712Sign | Eip191Sign
>;

/** Data to sign, and its submission: `body` to `endpoint`, with the signature as a query parameter. */
export type SignatureData = z.output<typeof signatureDataSchema>;
const signatureDataSchema = wireObject({
  sign: signSchema,
  /** The router's calls, whose hash by the approval proxy is the nonce of an ERC-3009 authorization. */
  witness: z.optional(wireMap(z.unknown())),
  post: wireObject({
    endpoint: textSchema,
    method: z.string(),
    body: wireMap(z.unknown()),
  }),
});

const stepFields = {
  id: openEnum(stepIds),
  action: z.string(),
  description: z.string(),
  /** Request id. Optional in appended steps. */
  requestId: z.optional(textSchema),
  /** Empty when the request uses none. */
  depositAddress: z.nullish(z.string()),
};

/** A step whose items are transactions. */
export type TransactionStep = z.output<typeof transactionStepSchema>;
export const transactionStepSchema = wireObject({
  ...stepFields,
  kind: z.enum(["transaction"]),
  items: z.array(
    wireObject({
      ...itemFields,
      data: z.optional(
        z.union([evmTransactionDataSchema, exchangeActionDataSchema, otherTransactionDataSchema]),
      ),
    }),
  ),
});

/** A step whose items are signatures. */
export type SignatureStep = z.output<typeof signatureStepSchema>;
export const signatureStepSchema = wireObject({
  ...stepFields,
  kind: z.enum(["signature"]),
  items: z.array(wireObject({ ...itemFields, data: z.optional(signatureDataSchema) })),
});

const unknownStepSchema = wireObject({
  ...stepFields,
  kind: z.string().check(
    z.refine((kind) => !(stepKinds as readonly string[]).includes(kind), {
      abort: true,
      error: "its fields do not fit its kind",
    }),
  ),
  items: z.array(wireObject({ ...itemFields, data: z.optional(z.unknown()) })),
});

/** A step of a quote, by `kind`. */
export type Step = SignatureStep | TransactionStep;

/**
 * A step of a quote. Unknown kinds pass at run time, so that a quote can be displayed, but are not in the type: keep
 * the `default` of an exhaustive `switch`, as `execute` does.
 */
export const stepSchema = z.union([
  transactionStepSchema,
  signatureStepSchema,
  unknownStepSchema,
]) as unknown as z.ZodMiniType<Step, Step>;
