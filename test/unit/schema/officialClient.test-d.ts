/**
 * Holds the types of the wire against those that the service's official client publishes. Nothing here runs: a
 * difference that is not listed is a type error.
 *
 * Two directions for each resource:
 *
 * - `Fits<Ours, Theirs>`: a value of ours fits their type, in every field that their type has.
 * - `Covers<Ours, Theirs>`: every field of theirs is one of ours, with a type that takes all its values. Fields that
 *   ours leaves out on purpose are the third argument, dotted, with `*` for the entries of a list.
 *
 * Both ignore three things. Ours are required where the specification says so and theirs are all optional; ours allow
 * null where the service was seen to send it; ours let undocumented enum values and fields pass.
 */
import type { paths } from "@relayprotocol/relay-sdk";
import type { ChainsResponse } from "../../../src/schema/chain/chain.ts";
import type { Config } from "../../../src/schema/chain/config.ts";
import type {
  CurrenciesRequest,
  CurrenciesV1,
  ListedCurrency,
} from "../../../src/schema/chain/currencies.ts";
import type { Liquidity } from "../../../src/schema/chain/liquidity.ts";
import type { SwapSources } from "../../../src/schema/chain/swapSources.ts";
import type { TokenPrice, TokenPriceV2 } from "../../../src/schema/chain/tokenPrice.ts";
import type { AppFeeBalances, ClaimRequest } from "../../../src/schema/quote/appFees.ts";
import type {
  ExecuteErrorBody,
  ExecuteRequest,
  ExecuteResponse,
} from "../../../src/schema/quote/executeCalls.ts";
import type { FastFillRequest } from "../../../src/schema/quote/fastFill.ts";
import type { Price, PriceRequest } from "../../../src/schema/quote/price.ts";
import type { Quote } from "../../../src/schema/quote/quote.ts";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import type { PermitRequest } from "../../../src/schema/quote/submission.ts";
import type { Submission } from "../../../src/schema/quote/submissionResponse.ts";
import type { RequestsV2Page } from "../../../src/schema/record/requestV2.ts";
import type { RequestsPage } from "../../../src/schema/record/requestV3.ts";
import type {
  SignatureRecordResponse,
  SignatureRecordV2Response,
} from "../../../src/schema/record/signatureRecord.ts";
import type {
  DepositAddressRecord,
  ReindexRequest,
  ReindexResponse,
} from "../../../src/schema/request/depositAddresses.ts";
import type { RequestsV2Query } from "../../../src/schema/request/query/requestsV2Query.ts";
import type { RequestsV3Query } from "../../../src/schema/request/query/requestsV3Query.ts";
import type { LegacyStatus, Status, StatusV2 } from "../../../src/schema/request/status.ts";
import type {
  IndexTransactionRequest,
  Message,
  SingleTransactionRequest,
} from "../../../src/schema/request/transactions.ts";
import type { CodeErrorBody, MessageErrorBody, QuoteErrorBody } from "../../../src/schema/wire/errorBody.ts";

/** The literals of a union of texts; any text when it has none. Open enums and hexadecimal become their base types. */
type Literals<Text extends string> = Text extends unknown
  ? string extends Text
    ? never
    : Text extends `0x${string}`
      ? never
      : Text
  : never;
type PlainText<Text extends string> = [Literals<Text>] extends [never] ? string : Literals<Text>;

type NonText<Value> = Exclude<Value, string | null | undefined>;
type TextOf<Value> = Extract<Value, string>;

/** Removes null, undefined, optional marks, open enums and hexadecimal, so that types can be compared. */
type Plain<Value> = unknown extends Value
  ? unknown
  : ([TextOf<Value>] extends [never] ? never : PlainText<TextOf<Value>>) | PlainObject<NonText<Value>>;
type PlainObject<Value> = Value extends readonly (infer Entry)[]
  ? Plain<Entry>[]
  : Value extends object
    ? { [Name in keyof Value]-?: Plain<Value[Name]> }
    : Value;

/** Takes dotted fields out of a type. */
type Without<Value, Path extends string> = [Path] extends [never]
  ? Value
  : Value extends readonly (infer Entry)[]
    ? Without<Entry, Tail<Path, "*">>[]
    : Value extends object
      ? {
          [Name in keyof Value as Name extends Path ? never : Name]: Without<
            Value[Name],
            Tail<Path, Name & string>
          >;
        }
      : Value;
type Tail<Path extends string, Head extends string> = Path extends `${Head}.${infer Rest}` ? Rest : never;

/** The fields of our type that their type also has. */
type Known<Own, Other> = Own extends readonly (infer Entry)[]
  ? Other extends readonly (infer OtherEntry)[]
    ? Known<Entry, OtherEntry>[]
    : Own
  : Own extends object
    ? Other extends object
      ? {
          [Name in keyof Own as Name extends keyof Other ? Name : never]: Known<
            Own[Name],
            Other[Name & keyof Other]
          >;
        }
      : Own
    : Own;

type Fits<Own, Other, Different extends string = never> =
  Without<Known<Plain<Own>, Plain<Other>>, Different> extends Partialled<Without<Plain<Other>, Different>>
    ? true
    : { ours: Without<Known<Plain<Own>, Plain<Other>>, Different>; theirs: Without<Plain<Other>, Different> };
type Covers<Own, Other, Different extends string = never> =
  Without<Plain<Other>, Different> extends Without<Known<Plain<Own>, Plain<Other>>, Different>
    ? [Missing<Without<Plain<Other>, Different>, Plain<Own>>] extends [never]
      ? true
      : { missing: Missing<Without<Plain<Other>, Different>, Plain<Own>> }
    : { ours: Known<Plain<Own>, Plain<Other>>; theirs: Without<Plain<Other>, Different> };

type Partialled<Value> = Value extends readonly (infer Entry)[]
  ? Partialled<Entry>[]
  : Value extends object
    ? { [Name in keyof Value]?: Partialled<Value[Name]> }
    : Value;

/** Dotted names of the fields of theirs that ours does not have. */
type Missing<Other, Own> = unknown extends Own
  ? never
  : Other extends readonly (infer Entry)[]
    ? Own extends readonly (infer OwnEntry)[]
      ? Missing<Entry, OwnEntry>
      : never
    : Other extends object
      ? string extends keyof Other
        ? never
        : {
            [Name in keyof Other & string]: Name extends keyof Own
              ? Missing<Other[Name], Own[Name]> extends infer Inner extends string
                ? `${Name}.${Inner}`
                : never
              : Name;
          }[keyof Other & string]
      : never;

type Path = keyof paths;
type Get<Name extends Path> = paths[Name] extends { get: infer Operation } ? Operation : never;
type Post<Name extends Path> = paths[Name] extends { post: infer Operation } ? Operation : never;
type Answer<Operation, Code extends number = 200> = Operation extends {
  responses: { [Key in Code]: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;
type Body<Operation> = Operation extends { requestBody?: { content: { "application/json": infer Content } } }
  ? Content
  : never;
type Query<Operation> = Operation extends { parameters: { query?: infer Parameters } } ? Parameters : never;

/** Compiles for `true` only. */
type Holds<_Result extends true> = true;

/** Ours and theirs agree in both directions, except in fields where ours fit no type of theirs, or leave theirs out. */
type Agrees<Own, Other, Unfit extends string = never, Left extends string = never> =
  Fits<Own, Other, Unfit> extends true ? Covers<Own, Other, Left> : Fits<Own, Other, Unfit>;

// Theirs is text, production also sends an object: `details` of a status.
// Our steps have one type for every kind of data; theirs have `unknown`, or only the EVM type.
type StepData = "steps";
type Unquoted = StepData | "protocol.v2.orderData";
// The service answers `N/A` where its own types of a refund's reason have no such value.
type RefundReason = "requests.*.data.refundFailReason";
export type AnswersAgree = [
  Holds<Agrees<ChainsResponse, Answer<Get<"/chains">>, "chains.*.tokenSupport">>,
  Holds<Agrees<Quote, Answer<Post<"/quote/v2">>, never, Unquoted>>,
  Holds<Agrees<Quote, Answer<Post<"/quote">>, never, Unquoted>>,
  Holds<Agrees<Price, Answer<Post<"/price">>>>,
  Holds<Agrees<Status, Answer<Get<"/intents/status/v3">>, "details">>,
  Holds<Agrees<StatusV2, Answer<Get<"/intents/status/v2">>, "details">>,
  Holds<Agrees<LegacyStatus, Answer<Get<"/intents/status">>, "details">>,
  Holds<Agrees<SignatureRecordResponse, Answer<Get<"/requests/{requestId}/signature">>>>,
  Holds<Agrees<SignatureRecordV2Response, Answer<Get<"/requests/{requestId}/signature/v2">>>>,
  Holds<Agrees<RequestsV2Page, Answer<Get<"/requests/v2">>, RefundReason>>,
  // Theirs is any text, ours names the documented kinds.
  Holds<Agrees<RequestsPage, Answer<Get<"/requests/v3">>, RefundReason, "requests.*.requestType">>,
  Holds<Agrees<ListedCurrency[], Answer<Post<"/currencies/v2">>>>,
  Holds<Agrees<CurrenciesV1, Answer<Post<"/currencies/v1">>>>,
  Holds<Agrees<Config, Answer<Get<"/config/v2">>>>,
  Holds<Agrees<Liquidity, Answer<Get<"/chains/liquidity">>>>,
  Holds<Agrees<SwapSources, Answer<Get<"/swap-sources">>>>,
  Holds<Agrees<TokenPrice, Answer<Get<"/currencies/token/price">>>>,
  Holds<Agrees<TokenPriceV2, Answer<Get<"/currencies/token/price/v2">>>>,
  Holds<Agrees<AppFeeBalances, Answer<Get<"/app-fees/{wallet}/balances">>>>,
  Holds<Agrees<DepositAddressRecord, Answer<Get<"/deposit-addresses/v1">>>>,
  Holds<Agrees<ReindexResponse, Answer<Post<"/transactions/deposit-address/reindex">>>>,
  Holds<Agrees<ExecuteResponse, Answer<Post<"/execute">>>>,
  Holds<Fits<Config, Answer<Get<"/config">>>>,
  Holds<Fits<Message, Answer<Post<"/transactions/index">>>>,
  Holds<Fits<Message, Answer<Post<"/transactions/single">>>>,
  Holds<Fits<Message, Answer<Post<"/fast-fill">>>>,
  Holds<Covers<Submission, Answer<Post<"/execute/permits">>, StepData>>,
];

// Bodies: our type equals theirs in both directions.
export type BodiesAgree = [
  // The documents say nothing of `originalTxValue`; it passes as an unknown field.
  // Theirs is a number, their documents send text: both are accepted.
  Holds<Agrees<QuoteRequest, Body<Post<"/quote/v2">>, "originGasOverhead", "txs.*.originalTxValue">>,
  Holds<Agrees<PriceRequest, Body<Post<"/price">>>>,
  Holds<Agrees<CurrenciesRequest, Body<Post<"/currencies/v2">>>>,
  Holds<Agrees<ClaimRequest, Body<Post<"/app-fees/{wallet}/claim">>>>,
  Holds<Agrees<FastFillRequest, Body<Post<"/fast-fill">>>>,
  // `sweep` is deprecated and has no effect.
  Holds<Agrees<ReindexRequest, Body<Post<"/transactions/deposit-address/reindex">>, never, "sweep">>,
  Holds<Agrees<PermitRequest, Body<Post<"/execute/permits">>, "kind", "kind">>,
  Holds<Agrees<ExecuteRequest, Body<Post<"/execute">>, "originGasOverhead">>,
  // Their types want text, their documents send a number: both are accepted.
  Holds<Agrees<IndexTransactionRequest, Body<Post<"/transactions/index">>, "chainId">>,
  Holds<Agrees<SingleTransactionRequest, Body<Post<"/transactions/single">>, "chainId">>,
  Holds<Fits<QuoteRequest, Body<Post<"/quote">>, "originGasOverhead">>,
];

// Queries: lists are text with commas on the wire and lists of ours; `chainId` of version 2 is text of theirs.
type Lists = "apiKey" | "features" | "filters" | "privateChainsToInclude";
export type QueriesCover = [
  Holds<Covers<RequestsV2Query, Query<Get<"/requests/v2">>, "chainId" | Lists>>,
  Holds<Covers<RequestsV3Query, Query<Get<"/requests/v3">>, Lists | "requestType">>,
];

// Error bodies: ours are required where theirs are optional, and `errorData` may be more than text.
export type ErrorsFit = [
  Holds<Fits<QuoteErrorBody, Answer<Post<"/quote/v2">, 400>, "errorData">>,
  Holds<Fits<QuoteErrorBody, Answer<Post<"/quote/v2">, 401>>>,
  Holds<Fits<QuoteErrorBody, Answer<Post<"/quote/v2">, 500>>>,
  Holds<Fits<QuoteErrorBody, Answer<Post<"/price">, 400>, "errorData">>,
  Holds<Fits<MessageErrorBody, Answer<Post<"/quote/v2">, 429>>>,
  Holds<Fits<MessageErrorBody, Answer<Post<"/fast-fill">, 409>>>,
  Holds<Fits<MessageErrorBody, Answer<Post<"/execute/permits">, 400>>>,
  Holds<Fits<CodeErrorBody, Answer<Get<"/requests/{requestId}/signature">, 400>>>,
  Holds<Fits<CodeErrorBody, Answer<Get<"/config/v2">, 500>>>,
  Holds<Fits<Pick<ExecuteErrorBody, "error">, Answer<Post<"/execute">, 401>>>,
];

// The helpers themselves: a wrong type and a missing field are found, at any depth.
type Wrong<Result> = Result extends true ? never : true;
export type HelpersWork = [
  Holds<Wrong<Fits<{ a: number }, { a?: string }>>>,
  Holds<Wrong<Fits<{ a: { b: "x" | "y" }[] }, { a?: { b?: "x" }[] }>>>,
  Holds<Wrong<Covers<{ a: string }, { a?: string; b?: string }>>>,
  Holds<Wrong<Covers<{ a: { b: string }[] }, { a?: { b?: string; c?: number }[] }>>>,
  Holds<Wrong<Covers<{ a: "x" }, { a?: "x" | "y" }>>>,
  Holds<Covers<{ a: { b: string }[] }, { a?: { b?: string; c?: number }[] }, "a.*.c">>,
  Holds<Wrong<Agrees<{ a: number }, { a?: string }>>>,
  Holds<Wrong<Agrees<{ a: string }, { a?: string; b?: string }>>>,
];
