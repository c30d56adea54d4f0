import { amountSchema } from "../../../src/schema/amount.ts";
import { callDataSchema } from "../../../src/schema/callData.ts";
import { chainContractsSchema, chainCurrencySchema, chainSchema } from "../../../src/schema/chain.ts";
import { listedCurrencySchema } from "../../../src/schema/currencies.ts";
import { currencySchema } from "../../../src/schema/currency.ts";
import { deprecationSchema } from "../../../src/schema/deprecation.ts";
import { codeErrorSchema, messageErrorSchema, quoteErrorSchema } from "../../../src/schema/errorBody.ts";
import { failReasonSchema } from "../../../src/schema/failReason.ts";
import { feeSponsorshipSchema, feeSponsorshipV2Schema } from "../../../src/schema/feeSponsorship.ts";
import { orderDataSchema } from "../../../src/schema/order.ts";
import {
  quoteDetailsSchema,
  quoteFeesSchema,
  quoteProtocolSchema,
  quoteSchema,
} from "../../../src/schema/quote.ts";
import { quoteRequestSchema } from "../../../src/schema/quoteRequest.ts";
import {
  recordAmountSchema,
  recordCurrencySchema,
  recordPaymentSchema,
  recordValueSchema,
} from "../../../src/schema/recordAmount.ts";
import { recordTransactionSchema, recordTransactionV2Schema } from "../../../src/schema/recordTransaction.ts";
import { refundFailReasonSchema } from "../../../src/schema/refundFailReason.ts";
import { requestProtocolSchema } from "../../../src/schema/requestProtocol.ts";
import { requestStatusSchema } from "../../../src/schema/requestStatus.ts";
import { requestStatusV2Schema } from "../../../src/schema/requestStatusV2.ts";
import {
  requestDataV2Schema,
  requestMetadataV2Schema,
  requestV2Schema,
} from "../../../src/schema/requestV2.ts";
import {
  requestAppFeesSchema,
  requestDataSchema,
  requestFeesSchema,
  requestRouteSchema,
  requestSchema,
} from "../../../src/schema/requestV3.ts";
import { depositAddressSchema } from "../../../src/schema/status.ts";
import { webhookEventSchema } from "../../../src/schema/statusUpdate.ts";
import { signatureStepSchema, stepSchema, transactionStepSchema } from "../../../src/schema/step.ts";
import { messageSchema } from "../../../src/schema/transactions.ts";

/** Schemas shared by several routes, by name. All others are named after their operation. */
export const commonSchemas = {
  Amount: amountSchema,
  AppFees: requestAppFeesSchema,
  CallData: callDataSchema,
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
