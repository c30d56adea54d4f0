import * as z from "zod/mini";
import { absentSchema } from "../wire/absent.ts";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../wire/hex.ts";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema, quantitySchema } from "../wire/wireAmount.ts";
import { wireMap } from "../wire/wireMap.ts";
import { wireObject } from "../wire/wireObject.ts";

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

/** Every step kind that the interface defines. */
export const stepKinds = ["transaction", "signature"] as const;

/** Every kind of signature that the interface defines. */
export const signatureKinds = ["eip712", "eip191"] as const;

/** Where an item's progress can be read. */
const stepCheckSchema = wireObject({ endpoint: z.string(), method: z.string() });

const itemFields = {
  /** `incomplete` while there is something to do; a client may mark an item `complete`. */
  status: openEnum(["incomplete", "complete"]),
  check: z.optional(stepCheckSchema),
};

/** A transaction on an EVM chain. Gas and fees are the service's estimate at the time of the quote. */
const evmTransactionDataSchema = wireObject({
  from: z.optional(evmAddressSchema),
  to: evmAddressSchema,
  data: z.optional(hexSchema),
  /** Wei. */
  value: z.optional(quantitySchema),
  /** The origin chain when left out. */
  chainId: z.optional(chainIdSchema),
  gas: z.optional(quantitySchema),
  maxFeePerGas: z.optional(quantitySchema),
  maxPriorityFeePerGas: z.optional(quantitySchema),
});

/** A transaction on an EVM chain. */
export type EvmTransactionData = z.output<typeof evmTransactionDataSchema>;

const typedDataField = wireObject({ name: z.string(), type: z.string() });

/**
 * An action on the perps exchange, to be signed as typed data and posted to the exchange.
 *
 * @example
 * exchangeActionDataSchema.parse({
 *   action: { parameters: {}, type: "sendAsset" },
 *   eip712PrimaryType: "T",
 *   eip712Types: {},
 *   nonce: 1,
 * });
 */
export const exchangeActionDataSchema = wireObject({
  to: absentSchema,
  action: wireObject({ type: z.string(), parameters: wireMap(z.unknown()) }),
  nonce: z.optional(quantitySchema),
  eip712Types: wireMap(z.array(typedDataField)),
  eip712PrimaryType: z.string(),
});

/** An action on the perps exchange. */
export type ExchangeActionData = z.output<typeof exchangeActionDataSchema>;

/**
 * Transaction data of a chain whose form the interface leaves open, SVM for one. Never a malformed EVM
 * transaction: whatever has a `to` must be a valid one.
 */
const otherTransactionDataSchema = wireObject({
  to: absentSchema,
  action: absentSchema,
});

/**
 * Typed data to sign, with values as JSON carries them.
 *
 * @example
 * eip712SignSchema.safeParse({ signatureKind: "eip191", message: "hello" }).success; // false
 */
export const eip712SignSchema = wireObject({
  signatureKind: z.literal("eip712"),
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

/** Typed data to sign. */
export type Eip712Sign = z.output<typeof eip712SignSchema>;

/** A message to sign. One that is 32 bytes in hexadecimal is signed as bytes, any other as text. */
const eip191SignSchema = wireObject({ signatureKind: z.literal("eip191"), message: z.string() });

/** A message to sign. */
export type Eip191Sign = z.output<typeof eip191SignSchema>;

const otherSignSchema = wireObject({
  signatureKind: z.string().check(
    z.refine((kind) => !(signatureKinds as readonly string[]).includes(kind), {
      abort: true,
      error: "its fields do not fit its signatureKind",
    }),
  ),
});

/**
 * What to sign; `signatureKind` tells which. A kind that is not known passes at run time, so that a quote
 * can be shown, but is not part of the type: an exhaustive `switch` still needs its `default`.
 */
const signSchema = z.union([eip712SignSchema, eip191SignSchema, otherSignSchema]) as unknown as z.ZodMiniType<
  Eip712Sign | Eip191Sign,
  Eip712Sign | Eip191Sign
>;

/** What to sign, and where to send it: `body` goes to `endpoint`, the signature as a query parameter. */
const signatureDataSchema = wireObject({
  sign: signSchema,
  /** The router's calls whose hash is the nonce of an ERC-3009 authorization, as the approval proxy hashes them. */
  witness: z.optional(wireMap(z.unknown())),
  post: wireObject({
    endpoint: z.string().check(z.minLength(1)),
    method: z.string(),
    body: wireMap(z.unknown()),
  }),
});

/** What to sign, and where to send it. */
export type SignatureData = z.output<typeof signatureDataSchema>;

const stepFields = {
  id: openEnum(stepIds),
  action: z.string(),
  description: z.string(),
  /** The request to follow. Appended steps may leave it out. */
  requestId: z.optional(z.string().check(z.minLength(1))),
  /** Empty when the request uses none. */
  depositAddress: z.nullish(z.string()),
};

/**
 * A step whose items are transactions.
 *
 * @example
 * transactionStepSchema.parse({
 *   action: "Send",
 *   description: "Deposit",
 *   id: "deposit",
 *   items: [],
 *   kind: "transaction",
 * });
 */
export const transactionStepSchema = wireObject({
  ...stepFields,
  kind: z.literal("transaction"),
  items: z.array(
    wireObject({
      ...itemFields,
      data: z.optional(
        z.union([evmTransactionDataSchema, exchangeActionDataSchema, otherTransactionDataSchema]),
      ),
    }),
  ),
});

/** A step whose items are transactions. */
export type TransactionStep = z.output<typeof transactionStepSchema>;

/**
 * A step whose items are signatures.
 *
 * @example
 * signatureStepSchema.parse({
 *   action: "Sign",
 *   description: "Permit",
 *   id: "authorize",
 *   items: [],
 *   kind: "signature",
 * });
 */
export const signatureStepSchema = wireObject({
  ...stepFields,
  kind: z.literal("signature"),
  items: z.array(wireObject({ ...itemFields, data: z.optional(signatureDataSchema) })),
});

/** A step whose items are signatures. */
export type SignatureStep = z.output<typeof signatureStepSchema>;

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

/** One step of a quote; `kind` tells which. */
export type Step = SignatureStep | TransactionStep;

/**
 * One step of a quote. A kind that is not known passes at run time, so that a quote can be shown, but is
 * not part of the type: an exhaustive `switch` still needs its `default`, as `execute` has.
 *
 * @example
 * stepSchema.parse({
 *   action: "Send",
 *   description: "Deposit",
 *   id: "deposit",
 *   items: [],
 *   kind: "transaction",
 * });
 */
export const stepSchema = z.union([
  transactionStepSchema,
  signatureStepSchema,
  unknownStepSchema,
]) as unknown as z.ZodMiniType<Step, Step>;
