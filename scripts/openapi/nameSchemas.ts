import * as z from "zod";
import { callFrameSchema } from "../../emulator/http/routes/explorer/ledgers.ts";
import { chainContractsSchema, chainCurrencySchema, chainSchema } from "../../src/schema/chain/chain.ts";
import { listedCurrencySchema } from "../../src/schema/chain/currencies.ts";
import { currencySchema } from "../../src/schema/chain/currency.ts";
import { amountSchema } from "../../src/schema/quote/amount.ts";
import { orderDataSchema } from "../../src/schema/quote/order.ts";
import { quoteProtocolSchema } from "../../src/schema/quote/paidQuote.ts";
import { quoteDetailsSchema, quoteFeesSchema, quoteSchema } from "../../src/schema/quote/quote.ts";
import { quoteRequestSchema } from "../../src/schema/quote/quoteRequest.ts";
import {
  absentSchema,
  signatureStepSchema,
  stepSchema,
  transactionStepSchema,
} from "../../src/schema/quote/step.ts";
import { feeSponsorshipSchema } from "../../src/schema/record/feeSponsorship.ts";
import { feeSponsorshipV2Schema } from "../../src/schema/record/feeSponsorshipV2.ts";
import {
  recordAmountSchema,
  recordCurrencySchema,
  recordPaymentSchema,
  recordValueSchema,
} from "../../src/schema/record/recordAmount.ts";
import {
  recordTransactionSchema,
  recordTransactionV2Schema,
} from "../../src/schema/record/recordTransaction.ts";
import { requestProtocolSchema } from "../../src/schema/record/requestProtocol.ts";
import {
  deprecationSchema,
  requestDataV2Schema,
  requestMetadataV2Schema,
  requestV2Schema,
} from "../../src/schema/record/requestV2.ts";
import {
  requestAppFeesSchema,
  requestDataSchema,
  requestFeesSchema,
  requestRouteSchema,
  requestSchema,
} from "../../src/schema/record/requestV3.ts";
import { failReasonSchema, refundFailReasonSchema } from "../../src/schema/request/failReason.ts";
import { depositAddressSchema } from "../../src/schema/request/polledStatus.ts";
import { requestStatusSchema } from "../../src/schema/request/requestStatus.ts";
import { requestStatusV2Schema } from "../../src/schema/request/status.ts";
import { webhookEventSchema } from "../../src/schema/request/statusUpdate.ts";
import { messageSchema } from "../../src/schema/request/transactions.ts";
import { callDataSchema } from "../../src/schema/wire/callData.ts";
import { codeErrorSchema, messageErrorSchema, quoteErrorSchema } from "../../src/schema/wire/errorBody.ts";
import { isWhole } from "../../src/schema/wire/wireAmount.ts";
import type { JsonSchema } from "./OpenApiDocument.ts";

/** Named schemas of a document. */
export type NamedSchemas = {
  /** Names a schema that has no name yet. */
  add(name: string, schema: z.core.$ZodType): void;
  /** Returns the `$ref` of a named schema. */
  ref(schema: z.core.$ZodType): JsonSchema;
  /** Returns all schemas, with references between them. */
  toComponents(): Readonly<Record<string, JsonSchema>>;
};

const refTo = (name: string) => `#/components/schemas/${name}`;

/** Collects schemas for a document. They describe the input side: the wire format, before defaults are applied. */
export function nameSchemas(): NamedSchemas {
  const registry = z.registry<{ id: string }>();
  return {
    add: (name, schema) => {
      if (!registry.has(schema)) registry.add(schema, { id: name });
    },
    ref: (schema) => {
      const named = registry.get(schema);
      if (named === undefined) throw new Error("a schema without a name");
      return { $ref: refTo(named.id) };
    },
    toComponents: () => {
      const { schemas } = z.toJSONSchema(registry, { ...conversion("input"), uri: refTo });
      return Object.fromEntries(
        Object.entries(schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema as JsonSchema]),
      );
    },
  };
}

/** Converts one schema, in its input or output form. */
export function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, conversion(io));
  return json as JsonSchema;
}

/** Omits checks that JSON Schema cannot express, such as the range of a `uint256`. */
function conversion(io: "input" | "output"): z.core.ToJSONSchemaParams {
  return {
    io,
    override: ({ jsonSchema, zodSchema }) => {
      if (zodSchema === absentSchema) Object.assign(jsonSchema, { not: {} });
      if (zodSchema._zod.def.checks?.includes(isWhole as never)) jsonSchema.type = "integer";
    },
    unrepresentable: "any",
  };
}

/** Schemas shared by several routes, by name. All others are named after their operation. */
export const commonSchemas = {
  Amount: amountSchema,
  AppFees: requestAppFeesSchema,
  CallData: callDataSchema,
  CallFrame: callFrameSchema,
  Chain: chainSchema,
  ChainContracts: chainContractsSchema,
  ChainCurrency: chainCurrencySchema,
  CodeError: codeErrorSchema,
  Currency: currencySchema,
  Deprecation: deprecationSchema,
  DepositAddress: depositAddressSchema,
  Error: quoteErrorSchema,
  FailReason: failReasonSchema,
  FeeSponsorship: feeSponsorshipSchema,
  FeeSponsorshipV2: feeSponsorshipV2Schema,
  ListedCurrency: listedCurrencySchema,
  Message: messageSchema,
  MessageError: messageErrorSchema,
  OrderData: orderDataSchema,
  Quote: quoteSchema,
  QuoteDetails: quoteDetailsSchema,
  QuoteFees: quoteFeesSchema,
  QuoteProtocol: quoteProtocolSchema,
  QuoteRequest: quoteRequestSchema,
  RecordAmount: recordAmountSchema,
  RecordCurrency: recordCurrencySchema,
  RecordPayment: recordPaymentSchema,
  RecordTransaction: recordTransactionSchema,
  RecordTransactionV2: recordTransactionV2Schema,
  RecordValue: recordValueSchema,
  RefundFailReason: refundFailReasonSchema,
  Request: requestSchema,
  RequestData: requestDataSchema,
  RequestDataV2: requestDataV2Schema,
  RequestFees: requestFeesSchema,
  RequestMetadataV2: requestMetadataV2Schema,
  RequestProtocol: requestProtocolSchema,
  RequestRoute: requestRouteSchema,
  RequestStatus: requestStatusSchema,
  RequestStatusV2: requestStatusV2Schema,
  RequestV2: requestV2Schema,
  SignatureStep: signatureStepSchema,
  Step: stepSchema,
  TransactionStep: transactionStepSchema,
  WebhookEvent: webhookEventSchema,
};
