import { chainContractsSchema, chainCurrencySchema, chainSchema } from "../../../src/schema/chain/chain.ts";
import { listedCurrencySchema } from "../../../src/schema/chain/currencies.ts";
import { currencySchema } from "../../../src/schema/chain/currency.ts";
import { amountSchema } from "../../../src/schema/quote/amount.ts";
import { orderDataSchema } from "../../../src/schema/quote/order.ts";
import { quoteProtocolSchema } from "../../../src/schema/quote/paidQuote.ts";
import { quoteDetailsSchema, quoteFeesSchema, quoteSchema } from "../../../src/schema/quote/quote.ts";
import { quoteRequestSchema } from "../../../src/schema/quote/quoteRequest.ts";
import { signatureStepSchema, stepSchema, transactionStepSchema } from "../../../src/schema/quote/step.ts";
import { feeSponsorshipSchema } from "../../../src/schema/record/feeSponsorship.ts";
import { feeSponsorshipV2Schema } from "../../../src/schema/record/feeSponsorshipV2.ts";
import {
  recordAmountSchema,
  recordCurrencySchema,
  recordPaymentSchema,
  recordValueSchema,
} from "../../../src/schema/record/recordAmount.ts";
import {
  recordTransactionSchema,
  recordTransactionV2Schema,
} from "../../../src/schema/record/recordTransaction.ts";
import { requestProtocolSchema } from "../../../src/schema/record/requestProtocol.ts";
import {
  requestDataV2Schema,
  requestMetadataV2Schema,
  requestV2Schema,
} from "../../../src/schema/record/requestV2.ts";
import {
  requestAppFeesSchema,
  requestDataSchema,
  requestFeesSchema,
  requestRouteSchema,
  requestSchema,
} from "../../../src/schema/record/requestV3.ts";
import { failReasonSchema } from "../../../src/schema/request/failReason.ts";
import { depositAddressSchema } from "../../../src/schema/request/polledStatus.ts";
import { refundFailReasonSchema } from "../../../src/schema/request/refundFailReason.ts";
import { requestStatusSchema } from "../../../src/schema/request/requestStatus.ts";
import { requestStatusV2Schema } from "../../../src/schema/request/requestStatusV2.ts";
import { webhookEventSchema } from "../../../src/schema/request/statusUpdate.ts";
import { messageSchema } from "../../../src/schema/request/transactions.ts";
import { callDataSchema } from "../../../src/schema/wire/callData.ts";
import { deprecationSchema } from "../../../src/schema/wire/deprecation.ts";
import { codeErrorSchema, messageErrorSchema, quoteErrorSchema } from "../../../src/schema/wire/errorBody.ts";

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
